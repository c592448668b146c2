import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { metricNamespace } from '../shared/contract/metric-names.ts';
import { secretsPrefix } from '../shared/contract/stack-outputs.ts';
import { acknowledgeTracing, allowGrants, allowSecrets } from './function-rights.ts';
import { type FunctionName, type FunctionSpec, functionSpecs, settingsOf, workerNames } from './function-specs.ts';
import type { Issuer } from './identity.ts';
import { nodeOptions } from './node-options.ts';
import type { Stores } from './stores.ts';
import type { Tenant } from './tenant.ts';

export type ServiceFunctionProps = {
  readonly name: FunctionName;
  readonly tenant: Tenant;
  readonly stores: Stores;
  readonly issuer: Issuer;
  /** The address of the API. */
  readonly apiUrl: string;
  /** The folder that holds this function's bundle. */
  readonly bundle: string;
};

const keptLogs: LogGroupProps = { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.DESTROY };

/** Lambda writes of the runs that fail alone, a line of each: what it says of others, metrics say as well. */
const logLevels = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
};

/** One Lambda function with a role of its own that allows what its specification says and nothing else. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  /** What is asked instead of the function, where new versions take over step by step. */
  readonly alias: Alias | null;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const spec = functionSpecs[props.name];
    const logGroup = new LogGroup(this, 'Logs', keptLogs);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    // The gateway decides what is traced. Where nothing decided, Lambda would, at a rate of its own.
    const isTraced = props.tenant.tracedShare !== undefined;
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `Tributary ${props.tenant.name}: ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: spec.memoryMiB,
      timeout: Duration.seconds(spec.timeoutSeconds),
      ...(isTraced && { tracing: isAsked(props.name) ? Tracing.ACTIVE : Tracing.PASS_THROUGH }),
      // A chain of a queue and its worker is cut after 16 links otherwise, and recounts send to their own queue.
      recursiveLoop: spec.fedBy && spec.sends?.includes(spec.fedBy) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      role,
      logGroup,
      ...logLevels,
      environment: environmentOf(props, spec),
    });
    const { rollout } = props.tenant;
    // The library's own types disagree under exactOptionalPropertyTypes.
    this.alias = rollout
      ? new Alias(this, 'Live', { aliasName: 'live', version: this.lambda.currentVersion as IVersion })
      : null;
    allowGrants(role, props.stores, spec);
    if (isTraced) acknowledgeTracing(role);
    if (spec.secrets) allowSecrets(role, secretsPrefix(props.tenant.name, spec.secrets.of), spec.secrets.actions);
  }
}

/** Whether the API asks it. */
const isAsked = (name: FunctionName): boolean => !workerNames.some((worker) => worker === name);

function environmentOf({ name, tenant, stores, issuer, apiUrl }: ServiceFunctionProps, spec: FunctionSpec) {
  return {
    TENANT: tenant.name,
    POWERTOOLS_SERVICE_NAME: name,
    POWERTOOLS_METRICS_NAMESPACE: metricNamespace,
    POWERTOOLS_LOG_LEVEL: 'INFO',
    NODE_OPTIONS: nodeOptions(spec),
    ...chosenSettings(spec, tenant),
    ...(spec.table && { TABLE_NAME: stores.tables.main.tableName }),
    ...(spec.eventLedger && { EVENT_TABLE_NAME: stores.tables.eventLedger.tableName }),
    ...(spec.raw && { RAW_BUCKET: stores.buckets.raw.bucketName }),
    ...(spec.lake && { LAKE_BUCKET: stores.buckets.lake.bucketName }),
    ...Object.fromEntries(
      (spec.sends ?? []).map((name) => [`${name.toUpperCase()}_QUEUE_URL`, stores[name].queue.queueUrl]),
    ),
    ...(spec.streams && stores.stream && { EVENT_STREAM_NAME: stores.stream.ref }),
    ...(spec.fedBy && { WORK_QUEUE_URL: stores[spec.fedBy].queue.queueUrl }),
    ...(spec.secrets && { SECRETS_PREFIX: secretsPrefix(tenant.name, spec.secrets.of) }),
    ...(spec.signIn && { OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: issuer.audience, OIDC_JWKS_URL: issuer.jwksUrl }),
    ...(spec.tellsSignIn && {
      OIDC_AUDIENCE: issuer.audience,
      OIDC_DISCOVERY_URL: issuer.discoveryUrl ?? discoveryOf(issuer.issuer),
    }),
    ...(spec.asksApi && { API_URL: apiUrl }),
    ...(spec.pages && { TOKEN_IN_FRAGMENT: String(issuer.isForDevelopment ?? false) }),
  };
}

const discoveryOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

const chosenSettings = (spec: FunctionSpec, { settings: chosen }: Tenant) =>
  Object.fromEntries(Object.entries(settingsOf(spec)).map(([name, value]) => [name, chosen[name] ?? value]));
