import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  DomainName,
  EndpointType,
  type IRestApi,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SecurityPolicy,
  SpecRestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { CfnOutput, Lazy, Names, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { httpFunctions, type Route } from '../shared/contract/route.ts';
import { stackOutputs } from '../shared/contract/stack-outputs.ts';
import { acknowledge } from './acknowledge.ts';
import { apiDefinition, type Target } from './api-definition.ts';
import { pageFunction } from './function-specs.ts';
import type { Functions } from './functions.ts';
import { retainedLogs, type Tenant } from './tenant.ts';

type DomainProps = { readonly domain: NonNullable<Tenant['domain']>; readonly restApi: SpecRestApi };

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
  throttlingRateLimit: tenant.throttle.rate,
  throttlingBurstLimit: tenant.throttle.burst,
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
  accessLogDestination: new LogGroupLogDestination(logs),
  accessLogFormat: AccessLogFormat.custom(JSON.stringify(logged)),
});

type ApiProps = { readonly tenant: Tenant; readonly routes: Readonly<Record<string, Route>> };

const targets = [...httpFunctions, pageFunction] as const;

/** The REST API, imported from the description of the routes. */
export class Api extends Construct {
  readonly restApi: SpecRestApi;
  readonly #domain: string | undefined;
  #functions: Functions | undefined;

  constructor(scope: Construct, id: string, { tenant, routes }: ApiProps) {
    super(scope, id);
    this.#domain = tenant.domain?.name;
    const logs = new LogGroup(this, 'AccessLogs', retainedLogs);
    const name = apiName(tenant.name);
    this.restApi = new SpecRestApi(this, 'Rest', {
      restApiName: name,
      apiDefinition: ApiDefinition.fromInline(apiDefinition(name, routes, (...place) => this.#uriOf(...place))),
      endpointTypes: [EndpointType.REGIONAL],
      // An import takes it from here.
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: false,
      deployOptions: { ...stageOptions(tenant, logs), variables: this.#stageVariables() },
    });
    this.#keepExecutionLog();
    acknowledge(this.restApi, {
      'AwsSolutions-APIG2': 'The functions validate requests against the schemas of the contract, and name the place.',
      'AwsSolutions-APIG3': 'A web ACL is charged by the rule; the tenant attaches its own.',
    });
    if (tenant.tracedShare !== undefined) this.#sampleTraces(tenant.name, tenant.tracedShare);
    if (tenant.webAclArn) {
      const { stageArn: resourceArn } = this.restApi.deploymentStage;
      new CfnWebACLAssociation(this, 'WebAcl', { resourceArn, webAclArn: tenant.webAclArn });
    }
    if (tenant.domain) new Domain(this, 'Domain', { domain: tenant.domain, restApi: this.restApi });
    new CfnOutput(Stack.of(this), stackOutputs.api, { value: this.address });
  }

  /** The gateway would create this group itself, and keep its lines for ever. */
  #keepExecutionLog(): void {
    const log = new LogGroup(this, 'ExecutionLogs', {
      logGroupName: `API-Gateway-Execution-Logs_${this.restApi.restApiId}/${stage}`,
      ...retainedLogs,
    });
    this.restApi.deploymentStage.node.addDependency(log);
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

  #stageVariables(): Record<string, string> {
    const nameOf = (target: Target) => Lazy.string({ produce: () => this.#functions?.aliasOf(target).functionName });
    return Object.fromEntries(targets.map((target) => [target, nameOf(target)]));
  }

  /** Where the API answers, known before anything is in it; with a final slash. */
  get address(): string {
    if (this.#domain) return `https://${this.#domain}/`;
    const { region, urlSuffix } = Stack.of(this);
    return `https://${this.restApi.restApiId}.execute-api.${region}.${urlSuffix}/${stage}/`;
  }

  /** Puts the functions behind the API: one permission for each, before the stage that needs it. */
  serve(functions: Functions): void {
    this.#functions = functions;
    const principal = new ServicePrincipal('apigateway.amazonaws.com');
    for (const lambda of targets.map((target) => functions.aliasOf(target))) {
      lambda.addPermission('Api', { principal, sourceArn: this.restApi.arnForExecuteApi() });
      this.restApi.deploymentStage.node.addDependency(lambda.node.findChild('Api'));
    }
  }

  /**
   * A function by a variable of the stage: functions know the address of the API, so the API cannot refer to them. A
   * changed alias changes the stage only, and imports nothing.
   */
  #uriOf(target: Target, isStreamed: boolean): string {
    const { partition, region, account } = Stack.of(this);
    const [version, call] = isStreamed
      ? ['2021-11-15', 'response-streaming-invocations']
      : ['2015-03-31', 'invocations'];
    const lambda = `arn:${partition}:lambda:${region}:${account}:function:\${stageVariables.${target}}`;
    return `arn:${partition}:apigateway:${region}:lambda:path/${version}/functions/${lambda}/${call}`;
  }
}
