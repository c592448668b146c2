import {
  AccessLogField,
  AccessLogFormat,
  DomainName,
  EndpointType,
  type IRestApi,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  SecurityPolicy,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { CfnOutput, Duration, Names, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { limits } from '../shared/contract/limits.ts';
import { Fault, noEndpoint, type ProblemCode, problems } from '../shared/contract/problems.ts';
import type { HttpFunction, Route } from '../shared/contract/route.ts';
import { stackOutputs } from '../shared/contract/stack-outputs.ts';
import { uploadRoutes } from '../shared/contract/uploads.ts';
import { acknowledge } from './acknowledge.ts';
import { pageFunction } from './function-specs.ts';
import type { Functions } from './functions.ts';
import type { Tenant } from './tenant.ts';

type Answer = {
  readonly type: ResponseType;
  readonly code: ProblemCode;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
};

const answers: readonly Answer[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, code: 'not_found', status: 404, message: noEndpoint },
  { type: ResponseType.RESOURCE_NOT_FOUND, code: 'not_found', message: noEndpoint },
  { type: ResponseType.ACCESS_DENIED, code: 'insufficient_workspace_role', status: 403 },
  { type: ResponseType.WAF_FILTERED, code: 'insufficient_workspace_role', status: 403 },
  { type: ResponseType.UNAUTHORIZED, code: 'unauthorized', status: 401 },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    code: 'body_too_large',
    hint: `Send lineage bodies over ${limits.inlineBytes} bytes through POST ${uploadRoutes.createUpload.path}.`,
  },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, code: 'unsupported_media_type' },
  { type: ResponseType.THROTTLED, code: 'rate_limited', status: 429 },
  { type: ResponseType.QUOTA_EXCEEDED, code: 'rate_limited', status: 429 },
  // The gateway answers 500 or 504 if Lambda throttles a function, by one of these: a caller may retry it.
  { type: ResponseType.API_CONFIGURATION_ERROR, code: 'unavailable', status: 503 },
  { type: ResponseType.INTEGRATION_FAILURE, code: 'unavailable', status: 503 },
  { type: ResponseType.INTEGRATION_TIMEOUT, code: 'unavailable' },
  { type: ResponseType.BAD_REQUEST_BODY, code: 'validation_error' },
  { type: ResponseType.BAD_REQUEST_PARAMETERS, code: 'validation_error' },
  { type: ResponseType.DEFAULT_4XX, code: 'validation_error' },
  { type: ResponseType.DEFAULT_5XX, code: 'internal_error' },
];

/** Puts what the gateway itself answers into the one error envelope: C-ERROR-1. */
function addGatewayResponses(api: RestApi): void {
  for (const { type, code, status, message = problems[code].message, hint } of answers)
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status && { statusCode: String(status) }),
      responseHeaders: {
        'X-Request-ID': 'context.requestId',
        'Cache-Control': "'no-store'",
        // Without it, a page sees a network error in place of the answer. The answers hold nothing of anybody.
        'Access-Control-Allow-Origin': "'*'",
        'Access-Control-Expose-Headers': "'Retry-After, X-Request-ID'",
        // A gateway response has no path to choose by, and every answer on the collection routes carries this.
        'X-Service-Collection-Status': "'rejected'",
        ...(retried(code) && { 'Retry-After': "'1'" }),
      },
      templates: { 'application/json': envelope(code, message, hint) },
    });
}

const retried = (code: ProblemCode): boolean => code === 'rate_limited' || code === 'unavailable';

function envelope(code: ProblemCode, message: string, hint: string | undefined): string {
  return JSON.stringify({ detail: { code, message, request_id: '$context.requestId', ...(hint && { hint }) } });
}

type DomainProps = { readonly domain: NonNullable<Tenant['domain']>; readonly restApi: RestApi };

/** The tenant's own name of the API. Where its zone is not of this account, an output says what the name has to point at. */
class Domain extends Construct {
  constructor(scope: Construct, id: string, { domain, restApi }: DomainProps) {
    super(scope, id);
    const name = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      // The library's own types disagree under exactOptionalPropertyTypes.
      mapping: restApi as IRestApi,
    });
    if (domain.hostedZone) {
      const { id: hostedZoneId, name: zoneName } = domain.hostedZone;
      new ARecord(this, 'Record', {
        zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName }),
        recordName: domain.name,
        target: RecordTarget.fromAlias(new ApiGatewayDomain(name)),
      });
    } else new CfnOutput(Stack.of(this), 'DomainTarget', { value: name.domainNameAliasDomainName });
  }
}

const stage = 'live';
const apiName = (tenant: string): string => `tributary-${tenant}`;

/** Under these every path reaches its function, which then refuses what it does not know in its own way. */
const catchAlls: readonly (readonly [string, PlaceOwner])[] = [
  ['/', pageFunction],
  ['/{proxy+}', pageFunction],
  ['/collect/{proxy+}', 'collect'],
];

/** A line of the access log: what leads to the lines of the function, and what no function sees; the log knows the time. */
const logged = {
  requestId: AccessLogField.contextRequestId(),
  ip: AccessLogField.contextIdentitySourceIp(),
  httpMethod: AccessLogField.contextHttpMethod(),
  resourcePath: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  // What tells a throttled function, which logs nothing, from one that failed.
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  errorType: AccessLogField.contextErrorResponseType(),
  latency: AccessLogField.contextResponseLatency(),
};

const stageOptions = (tenant: Tenant, logs: LogGroup): StageOptions => ({
  stageName: stage,
  tracingEnabled: tenant.tracedShare !== undefined,
  // Figures of each method are charged by the method; those of the stage are not.
  metricsEnabled: false,
  ...(tenant.throttle && {
    throttlingRateLimit: tenant.throttle.rate,
    throttlingBurstLimit: tenant.throttle.burst,
  }),
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
  accessLogDestination: new LogGroupLogDestination(logs),
  accessLogFormat: AccessLogFormat.custom(JSON.stringify(logged)),
});

/** The REST API over the route table: all methods of a path go to the function that owns it, which knows a 405. */
export class Api extends Construct {
  readonly restApi: RestApi;
  readonly #domain: string | undefined;

  constructor(scope: Construct, id: string, { tenant }: { readonly tenant: Tenant }) {
    super(scope, id);
    this.#domain = tenant.domain?.name;
    const logs = new LogGroup(this, 'AccessLogs', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.restApi = new RestApi(this, 'Rest', {
      restApiName: apiName(tenant.name),
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies arrive byte for byte: digests and gzip depend on it.
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: true,
      deployOptions: stageOptions(tenant, logs),
    });
    acknowledge(this.restApi, {
      'AwsSolutions-APIG2': 'The functions validate requests against the schemas of the contract, and name the place.',
      'AwsSolutions-APIG3': 'A web ACL is charged by the rule; the tenant attaches its own.',
      'AwsSolutions-APIG4': 'The functions check bearer tokens and project keys: revocations must hold at once.',
      'AwsSolutions-COG4': 'The tenant may have any OIDC issuer, and the collection routes take project keys.',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The policy that API Gateway documents for writing its logs.',
    });
    if (tenant.tracedShare !== undefined) this.#sampleTraces(tenant.name, tenant.tracedShare);
    addGatewayResponses(this.restApi);
    if (tenant.webAclArn) {
      const { stageArn: resourceArn } = this.restApi.deploymentStage;
      new CfnWebACLAssociation(this, 'WebAcl', { resourceArn, webAclArn: tenant.webAclArn });
    }
    if (tenant.domain) new Domain(this, 'Domain', { domain: tenant.domain, restApi: this.restApi });
    new CfnOutput(Stack.of(this), stackOutputs.api, { value: this.address });
  }

  /** Without a rule X-Ray takes a request a second, which of a quiet tenant is all of them, and 5 % of others. */
  #sampleTraces(tenant: string, fixedRate: number): void {
    new CfnSamplingRule(this, 'Traces', {
      samplingRule: {
        ruleName: Names.uniqueResourceName(this, { maxLength: 32 }),
        serviceType: 'AWS::ApiGateway::Stage',
        serviceName: `${apiName(tenant)}/${stage}`,
        fixedRate,
        reservoirSize: 0,
        priority: 1_000,
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        resourceArn: '*',
        version: 1,
      },
    });
  }

  /** Where the API answers, known before anything stands in it; with a final slash. */
  get address(): string {
    if (this.#domain) return `https://${this.#domain}/`;
    const { region, urlSuffix } = Stack.of(this);
    return `https://${this.restApi.restApiId}.execute-api.${region}.${urlSuffix}/${stage}/`;
  }

  /** Puts every path of the table, and every other, before the function that owns it. */
  serve(routes: readonly Route[], functions: Functions): void {
    for (const { path, owner, stream } of placesOf(routes))
      this.restApi.root.resourceForPath(path).addMethod('ANY', integration(functions, owner, stream));
  }
}

type PlaceOwner = HttpFunction | typeof pageFunction;
type ResourceRoute = { readonly path: string; readonly owner: PlaceOwner; readonly stream: boolean };

/** Every path of the table once, aliases included, and the catch-alls. */
function placesOf(routes: readonly Route[]): ResourceRoute[] {
  const places = new Map<string, ResourceRoute>();
  for (const [path, owner] of catchAlls) places.set(path, { path, owner, stream: false });
  for (const { path, aliases = [], function: owner, stream = false } of routes)
    for (const one of [path, ...aliases]) {
      const other = places.get(one)?.owner ?? owner;
      if (other !== owner)
        throw new Fault('route_with_two_functions', `${one} belongs to two functions: ${other} and ${owner}.`);
      places.set(one, { path: one, owner, stream });
    }
  return [...places.values()];
}

const integration = (functions: Functions, owner: PlaceOwner, stream: boolean): LambdaIntegration =>
  new LambdaIntegration(functions.asked(owner), {
    // One permission a function: one a path would overflow the function's policy.
    scopePermissionToMethod: false,
    ...(stream && { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(5) }),
  });
