import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  EventSourceMapping,
  type EventSourceMappingOptions,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { listingsPrefix, stagingPrefix } from '../shared/contract/lake.ts';
import { metricNamespace } from '../shared/contract/metric-names.ts';
import { Fault } from '../shared/contract/problems.ts';
import { type QueueName, secretsPrefix } from '../shared/contract/stack-outputs.ts';
import { acknowledge } from './acknowledge.ts';
import {
  type FunctionName,
  type FunctionSpec,
  functionNames,
  functionSpecs,
  pascalCase,
  settingsOf,
  workerNames,
} from './function-specs.ts';
import type { Issuer } from './identity.ts';
import { allowActions, allowKey, bucketInFindings, inFindings } from './rights.ts';
import type { Stores } from './stores.ts';
import { indexNames } from './tables.ts';
import { retainedLogs, scaledCap, type Tenant } from './tenant.ts';

/** Allows a role exactly what the grants name: no wildcard but the objects of a bucket. */
function allowGrants(role: Role, stores: Stores, grants: FunctionSpec): void {
  const { tables, buckets } = stores;
  const leads = grants.partition && { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [grants.partition] } };
  if (grants.table && leads) allowActions(role, 'dynamodb', grants.table, [tables.main.tableArn], leads);
  else if (grants.table) allowTable(role, tables.main, indexNames, grants.table);
  if (grants.eventLedger) allowTable(role, tables.eventLedger, [], grants.eventLedger);
  if (grants.raw) allowBucket(role, buckets.raw, grants.raw, [listingsPrefix]);
  if (grants.rawPuts) allowBelow(role, buckets.raw, 'PutObject', grants.rawPuts);
  if (grants.lake) allowBucket(role, buckets.lake, grants.lake, grants.lakeDeletes ?? [stagingPrefix]);
  if (grants.streams && stores.stream) allowActions(role, 'firehose', ['PutRecordBatch'], [stores.stream.attrArn]);
  for (const name of grants.sends ?? [])
    allowActions(role, 'sqs', ['SendMessage'], [stores.queues[name].queue.queueArn]);
  if (stores.key && holdsData(grants)) allowKey(role, stores.key);
}

function allowTable(role: Role, { tableArn }: Table, indexes: readonly string[], actions: readonly string[]): void {
  const indexArns = indexes.map((index) => `${tableArn}/index/${index}`);
  allowActions(role, 'dynamodb', actions, [tableArn, ...indexArns]);
}

type ObjectActions = NonNullable<FunctionSpec['raw']>;

/** Objects are deleted only below some prefixes. */
function allowBucket(role: Role, bucket: Bucket, actions: ObjectActions, deletedBelow: readonly string[]): void {
  const remaining = actions.filter((action) => action !== 'DeleteObject');
  allowActions(role, 's3', remaining, [bucket.arnForObjects('*')]);
  // Without it, a missing object answers 403 to a read instead of 404.
  if (actions.includes('GetObject')) allowActions(role, 's3', ['ListBucket'], [bucket.bucketArn]);
  const arn = bucketInFindings(role, bucket);
  acknowledge(role, {
    [`AwsSolutions-IAM5[Resource::${arn}/*]`]:
      'The function owns all objects of this bucket; their keys begin with workspaces that are made later.',
  });
  if (remaining.length === actions.length) return;
  for (const prefix of deletedBelow) allowBelow(role, bucket, 'DeleteObject', prefix);
}

function allowBelow(role: Role, bucket: Bucket, action: ObjectActions[number], prefix: string): void {
  allowActions(role, 's3', [action], [bucket.arnForObjects(`${prefix}*`)]);
  acknowledge(role, {
    [`AwsSolutions-IAM5[Resource::${bucketInFindings(role, bucket)}/${prefix}*]`]:
      'The function makes these objects, or they are made from others: it may replace or delete them.',
  });
}

const holdsData = ({ table, eventLedger, raw, lake, sends, fedBy }: FunctionSpec): boolean =>
  [table, eventLedger, raw, lake, sends, fedBy].some((granted) => granted !== undefined);

/** Allows the secrets whose names begin with the prefix, and no others. */
function allowSecrets(role: Role, prefix: string, actions: readonly string[]): void {
  const arn = Stack.of(role).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${prefix}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  allowActions(role, 'secretsmanager', actions, [arn]);
  acknowledge(role, {
    [`AwsSolutions-IAM5[Resource::${inFindings(role, arn)}]`]:
      'Secrets are created on first use; their names begin with the tenant’s prefix.',
  });
}

/** The share of a function's memory that the old generation of the heap may fill; buffers and code need the rest. */
const oldShare = 0.85;
/** The share of one half of the young generation, which V8 keeps three times. */
const semiSpaceShare = 0.05;

/**
 * The options that size the heap of a function. Lambda does so itself only if `NODE_OPTIONS` names neither generation: V8
 * would then stop at half of the memory. V8 rounds a half of the young generation up to a power of two, so this rounds down.
 */
export function heapOptions({ memoryMiB, semiSpaceMiB }: FunctionSpec): string[] {
  const semiSpace = semiSpaceMiB ?? 2 ** Math.floor(Math.log2(memoryMiB * semiSpaceShare));
  return [`--max-old-space-size=${Math.floor(memoryMiB * oldShare)}`, `--max-semi-space-size=${semiSpace}`];
}

/** The options that Node starts a function with. */
export const nodeOptions = (spec: FunctionSpec): string => ['--enable-source-maps', ...heapOptions(spec)].join(' ');

type ServiceFunctionProps = {
  readonly name: FunctionName;
  readonly tenant: Tenant;
  readonly stores: Stores;
  readonly issuer: Issuer;
  readonly apiUrl: string;
  readonly bundle: string;
};

/** Lambda only logs failed runs, one line each. Metrics cover the others. */
const logLevels = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
};

class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  /** The alias that callers use, so that new versions take over step by step. A function URL is always of the alias. */
  readonly alias: Alias | null;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const spec = functionSpecs[props.name];
    const logGroup = new LogGroup(this, 'Logs', retainedLogs);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    // The gateway decides what is traced. Otherwise Lambda would decide, at its own rate.
    const isTraced = props.tenant.tracedShare !== undefined;
    const reserved = new Map(Object.entries(props.tenant.reservedConcurrency)).get(props.name);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `Tributary ${props.tenant.name}: ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: spec.memoryMiB,
      timeout: Duration.seconds(spec.timeoutSeconds),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      ...(isTraced && { tracing: isRequested(props.name) ? Tracing.ACTIVE : Tracing.PASS_THROUGH }),
      // A chain of a queue and its worker is cut after 16 links otherwise, and recounts send to their own queue.
      recursiveLoop: spec.fedBy && spec.sends?.includes(spec.fedBy) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      role,
      logGroup,
      ...logLevels,
      environment: environmentOf(props, spec),
    });
    const { rollout, functionUrls } = props.tenant;
    // The library's own types disagree under exactOptionalPropertyTypes.
    this.alias =
      (rollout ?? functionUrls.find((one) => one === props.name))
        ? new Alias(this, 'Live', { aliasName: 'live', version: this.lambda.currentVersion as IVersion })
        : null;
    allowGrants(role, props.stores, spec);
    // The construct of a function that is traced allows it to write its traces.
    if (isTraced) acknowledge(role, { 'AwsSolutions-IAM5[Resource::*]': 'X-Ray has no resources to name.' });
    if (spec.secrets) allowSecrets(role, secretsPrefix(props.tenant.name, spec.secrets.of), spec.secrets.actions);
  }
}

/** Whether the API asks it. */
const isRequested = (name: FunctionName): boolean => !workerNames.some((worker) => worker === name);

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
      (spec.sends ?? []).map((name) => [`${name.toUpperCase()}_QUEUE_URL`, stores.queues[name].queue.queueUrl]),
    ),
    ...(spec.streams && stores.stream && { EVENT_STREAM_NAME: stores.stream.ref }),
    ...(spec.fedBy && { WORK_QUEUE_URL: stores.queues[spec.fedBy].queue.queueUrl }),
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

type FunctionsProps = Omit<ServiceFunctionProps, 'name' | 'bundle'> & {
  readonly bundleOf: (name: FunctionName) => string;
};

/** All functions, with the queues that feed workers. */
export class Functions extends Construct {
  readonly byName: ReadonlyMap<FunctionName, LambdaFunction>;
  /** Of functions whose new versions take over step by step. */
  readonly aliases: ReadonlyMap<FunctionName, Alias>;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const created = functionNames.map((name) => {
      const one = new ServiceFunction(this, pascalCase(name), { ...props, name, bundle: props.bundleOf(name) });
      return { name, ...one };
    });
    this.byName = new Map(created.map(({ name, lambda }) => [name, lambda]));
    this.aliases = new Map(created.flatMap(({ name, alias }) => (alias ? [[name, alias]] : [])));
    for (const name of functionNames) {
      const { fedBy } = functionSpecs[name];
      if (fedBy) this.#feed(name, fedBy, props);
    }
  }

  /** The mapping belongs to the function, whose id does not depend on an alias: another one would be refused beside it. */
  #feed(name: FunctionName, fedBy: QueueName, { stores, tenant }: FunctionsProps): void {
    const { queue } = stores.queues[fedBy];
    new EventSourceMapping(this.named(name), 'Messages', {
      target: this.aliasOf(name),
      eventSourceArn: queue.queueArn,
      ...batches[fedBy],
      reportBatchItemFailures: true,
      maxConcurrency: tenant.concurrency[fedBy] ?? scaledCap(batches[fedBy].maxConcurrency, tenant),
    });
    queue.grantConsumeMessages(this.named(name));
  }

  named(name: FunctionName): LambdaFunction {
    const found = this.byName.get(name);
    if (!found) throw new Fault('function_unknown', `There is no function ${name}.`);
    return found;
  }

  aliasOf(name: FunctionName): IFunction {
    // The library's own types disagree under exactOptionalPropertyTypes.
    return (this.aliases.get(name) as IFunction | undefined) ?? this.named(name);
  }
}

/** How each queue feeds its worker. */
export const batches = {
  // Many small batches become one object, and this many full ones take a quarter of their worker's time.
  events: { batchSize: 200, maxBatchingWindow: Duration.seconds(5), maxConcurrency: 10 },
  // The governor of the graph's write rate.
  projection: { batchSize: 10, maxConcurrency: 20 },
  // A document of 200 MiB takes a function's memory for itself.
  documents: { batchSize: 1, maxConcurrency: 4 },
  notifications: { batchSize: 10, maxConcurrency: 5 },
  // A host limits how much an app asks at once.
  codehost: { batchSize: 1, maxConcurrency: 4 },
} as const satisfies Record<QueueName, EventSourceMappingOptions>;
