import * as v from 'valibot';
import { awsEnvironment } from '../../local/emulators/environment.ts';
import { type Wiring, wired } from '../../local/template/wiring.ts';
import { icebergPrefix, icebergTables, undeliveredPrefix } from '../../shared/contract/lake.ts';
import { type Right, rightsFor } from './calls.ts';

const { region, account } = awsEnvironment;
const TableKey = v.object({ SSESpecification: v.optional(v.object({ KMSMasterKeyId: v.optional(v.string()) })) });
const BucketKey = v.object({
  BucketEncryption: v.object({
    ServerSideEncryptionConfiguration: v.tuple([
      v.object({ ServerSideEncryptionByDefault: v.object({ KMSMasterKeyID: v.optional(v.string()) }) }),
    ]),
  }),
});
const QueueKey = v.object({ KmsMasterKeyId: v.optional(v.string()) });

/** What each service does with a customer's key on behalf of a caller, by the verb of the caller's action. */
const uses: Readonly<Record<string, readonly (readonly [verbs: RegExp, ...actions: string[]])[]>> = {
  // "Encryption at rest: usage notes" of DynamoDB; the CDK grants the same.
  dynamodb: [
    [/Get|Query|Scan|Select|Check/, 'Decrypt', 'DescribeKey'],
    [/Put|Update|Delete|Write|Insert/, 'Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey'],
  ],
  // "Using server-side encryption with AWS KMS keys" of S3: parts of an object are read before they are joined.
  s3: [
    [/^Get/, 'Decrypt'],
    [/^Put/, 'GenerateDataKey', 'Decrypt'],
  ],
  // "Key management" of SQS.
  sqs: [
    [/^Send/, 'GenerateDataKey', 'Decrypt'],
    [/^Receive/, 'Decrypt'],
  ],
};

/** The rights to a customer's key that come with a right to a store of a template; none if the store has no such key. */
export function keyRightsIn(wiring: Wiring): (right: Right) => Right[] {
  const arnOf = (id: string): string => wiring.identities.get(id)?.attributes['Arn'] ?? id;
  const keys = new Map<string, string | undefined>([
    ...wired(wiring, 'AWS::DynamoDB::Table', TableKey).map(
      ({ id, properties }) => [arnOf(id), properties.SSESpecification?.KMSMasterKeyId] as const,
    ),
    ...wired(wiring, 'AWS::S3::Bucket', BucketKey).map(({ id, properties }) => {
      const [{ ServerSideEncryptionByDefault }] = properties.BucketEncryption.ServerSideEncryptionConfiguration;
      return [arnOf(id), ServerSideEncryptionByDefault.KMSMasterKeyID] as const;
    }),
    ...wired(wiring, 'AWS::SQS::Queue', QueueKey).map(
      ({ id, properties }) => [arnOf(id), properties.KmsMasterKeyId] as const,
    ),
  ]);
  return ({ action, resource }) => {
    const [store] = [...keys].filter(([arn]) => resource === arn || resource.startsWith(`${arn}/`));
    const [, key] = store ?? [];
    if (key === undefined) return [];
    const [service = '', verb = ''] = action.split(':');
    const used = (uses[service] ?? []).flatMap(([verbs, ...actions]) => (verbs.test(verb) ? actions : []));
    const context = { 'kms:ViaService': `${service}.${region}.amazonaws.com` };
    return [...new Set(used)].map((one) => ({ action: `kms:${one}`, resource: key, context }));
  };
}

const of = (service: string, names: readonly string[], resources: readonly string[]): Right[] =>
  resources.flatMap((resource) => names.map((name) => ({ action: `${service}:${name}`, resource })));

const glueArn = (resource: string): string => `arn:aws:glue:${region}:${account}:${resource}`;

/** Reading tables of the Glue catalogue, and putting a newer version of each in its place. */
const tableRights = (database: string, tables: readonly string[]): Right[] =>
  of(
    'glue',
    ['GetDatabase', 'GetTable', 'UpdateTable'],
    ['catalog', `database/${database}`, ...tables.map((name) => `table/${database}/${name}`)].map(glueArn),
  );

const objectActions = ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'];

const fileRights = (bucket: string, prefixes: readonly string[]): Right[] => [
  ...of('s3', ['GetBucketLocation', 'ListBucket', 'ListBucketMultipartUploads'], [bucket]),
  ...of(
    's3',
    objectActions,
    prefixes.map((prefix) => `${bucket}/${prefix}x`),
  ),
];

const Schedule = v.object({
  Target: v.object({
    Arn: v.literal('arn:aws:scheduler:::aws-sdk:athena:startQueryExecution'),
    RoleArn: v.string(),
    Input: v.pipe(v.string(), v.parseJson()),
    DeadLetterConfig: v.object({ Arn: v.string() }),
  }),
});
const Statement = v.object({ QueryExecutionContext: v.object({ Database: v.string() }) });
const S3Place = v.object({ BucketARN: v.string(), RoleARN: v.string() });
const Stream = v.object({
  IcebergDestinationConfiguration: v.object({
    RoleARN: v.string(),
    S3Configuration: S3Place,
    CloudWatchLoggingOptions: v.object({ LogGroupName: v.string(), LogStreamName: v.string() }),
    DestinationTableConfigurationList: v.tuple([
      v.object({ DestinationDatabaseName: v.string(), DestinationTableName: v.string() }),
    ]),
  }),
});

const lakeOf = (wiring: Wiring): string =>
  wired(wiring, 'AWS::KinesisFirehose::DeliveryStream', Stream).map(
    ({ properties }) => properties.IcebergDestinationConfiguration.S3Configuration.BucketARN,
  )[0] ?? '';

/** "Access to databases and tables in the Glue catalog" of Athena's guide, which does it as the caller; and the dead letters. */
const scheduled = (wiring: Wiring): (readonly [role: string, Right[]])[] =>
  wired(wiring, 'AWS::Scheduler::Schedule', Schedule).map(({ properties: { Target: target } }) => [
    target.RoleArn,
    [
      ...rightsFor({ service: 'athena', operation: 'StartQueryExecution', input: target.Input }),
      ...of('glue', ['GetDatabase'], [glueArn('catalog'), glueArn('database/default')]),
      ...tableRights(v.parse(Statement, target.Input).QueryExecutionContext.Database, Object.values(icebergTables)),
      ...fileRights(lakeOf(wiring), [icebergPrefix]),
      { action: 'sqs:SendMessage', resource: target.DeadLetterConfig.Arn },
    ],
  ]);

const Optimizer = v.object({
  DatabaseName: v.string(),
  TableName: v.string(),
  Type: v.string(),
  TableOptimizerConfiguration: v.object({ RoleArn: v.string() }),
});

/** "Table optimization prerequisites" of Glue's guide. */
const optimized = (wiring: Wiring): (readonly [role: string, Right[]])[] =>
  wired(wiring, 'AWS::Glue::TableOptimizer', Optimizer).map(({ properties }) => {
    const group = `arn:aws:logs:${region}:${account}:log-group:/aws-glue/iceberg-${properties.Type.replaceAll('_', '-')}`;
    return [
      properties.TableOptimizerConfiguration.RoleArn,
      [
        ...tableRights(properties.DatabaseName, [properties.TableName]),
        ...fileRights(lakeOf(wiring), [icebergPrefix]),
        ...of('logs', ['CreateLogGroup', 'CreateLogStream', 'PutLogEvents'], [`${group}/logs:x`]),
      ],
    ];
  });

const Publishing = v.object({ Targets: v.array(v.object({ Arn: v.string(), RoleArn: v.optional(v.string()) })) });

/** "Using resource-based policies" of EventBridge's guide: a role of the rule publishes in place of the service. */
const published = (wiring: Wiring): (readonly [role: string, Right[]])[] =>
  wired(wiring, 'AWS::Events::Rule', Publishing).flatMap(({ properties }) =>
    properties.Targets.flatMap(({ Arn, RoleArn }) =>
      RoleArn === undefined ? [] : [[RoleArn, of('sns', ['Publish'], [Arn])] as const],
    ),
  );

/** "Grant Firehose access to an Apache Iceberg Tables destination" of its guide. */
const delivered = (wiring: Wiring): (readonly [role: string, Right[]])[] =>
  wired(wiring, 'AWS::KinesisFirehose::DeliveryStream', Stream).map(({ properties }) => {
    const to = properties.IcebergDestinationConfiguration;
    const [{ DestinationDatabaseName: database, DestinationTableName: table }] = to.DestinationTableConfigurationList;
    const { LogGroupName: group, LogStreamName: stream } = to.CloudWatchLoggingOptions;
    const log = `arn:aws:logs:${region}:${account}:log-group:${group}:log-stream:${stream}`;
    return [
      to.RoleARN,
      [
        ...tableRights(database, [table]),
        ...fileRights(to.S3Configuration.BucketARN, [icebergPrefix, undeliveredPrefix]),
        { action: 'logs:PutLogEvents', resource: log },
      ],
    ];
  });

/** What services of AWS do with the roles of a template that are not of functions, by the role's name. */
export function serviceRights(wiring: Wiring): ReadonlyMap<string, readonly Right[]> {
  const found = new Map<string, Right[]>();
  const withKey = keyRightsIn(wiring);
  for (const [arn, rights] of [scheduled, delivered, optimized, published].flatMap((one) => one(wiring))) {
    const name = arn.split('/').at(-1) ?? '';
    found.set(name, [...(found.get(name) ?? []), ...rights, ...rights.flatMap(withKey)]);
  }
  return found;
}

/** Roles whose rights AWS maintains: its documented policies for them. */
export const managedPolicies: Readonly<Record<string, readonly string[]>> = {
  'backup.amazonaws.com': [
    'service-role/AWSBackupServiceRolePolicyForBackup',
    'service-role/AWSBackupServiceRolePolicyForRestores',
    'AWSBackupServiceRolePolicyForS3Backup',
    'AWSBackupServiceRolePolicyForS3Restore',
  ],
  'codedeploy.amazonaws.com': ['service-role/AWSCodeDeployRoleForLambdaLimited'],
};
