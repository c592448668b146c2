import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { stagingPrefix } from '../shared/contract/lake.ts';
import { listingsPrefix } from '../shared/contract/raw-bucket.ts';
import { acknowledge } from './acknowledge.ts';
import type { Grants } from './grants.ts';
import { allowActions, allowKey, bucketInFindings, inFindings } from './rights.ts';
import type { Stores } from './stores.ts';
import { indexNames } from './tables.ts';

/** Allows a role exactly what the grants name: no wildcard but the objects of a bucket. */
export function allowGrants(role: Role, stores: Stores, grants: Grants): void {
  const { tables, buckets } = stores;
  if (grants.table && grants.partition) allowPartition(role, tables.main, grants.partition, grants.table);
  else if (grants.table) allowTable(role, tables.main, indexNames, grants.table);
  if (grants.eventLedger) allowTable(role, tables.eventLedger, [], grants.eventLedger);
  if (grants.raw) allowBucket(role, buckets.raw, grants.raw, [listingsPrefix]);
  if (grants.lake) allowBucket(role, buckets.lake, grants.lake, grants.lakeDeletes ?? [stagingPrefix]);
  if (grants.streams && stores.stream) allowActions(role, 'firehose', ['PutRecordBatch'], [stores.stream.attrArn]);
  for (const name of grants.sends ?? []) allowSending(role, stores[name].queue);
  if (stores.key && holdsData(grants)) allowKey(role, stores.key);
}

function allowTable(role: Role, { tableArn }: Table, indexes: readonly string[], actions: readonly string[]): void {
  const indexArns = indexes.map((index) => `${tableArn}/index/${index}`);
  allowActions(role, 'dynamodb', actions, [tableArn, ...indexArns]);
}

function allowPartition(role: Role, { tableArn }: Table, partition: string, actions: readonly string[]): void {
  role.addToPolicy(
    new PolicyStatement({
      actions: actions.map((name) => `dynamodb:${name}`),
      resources: [tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] } },
    }),
  );
}

type ObjectActions = NonNullable<Grants['raw']>;

/** Objects are deleted below some prefixes alone. */
function allowBucket(role: Role, bucket: Bucket, actions: ObjectActions, deletedBelow: readonly string[]): void {
  const kept = actions.filter((action) => action !== 'DeleteObject');
  allowActions(role, 's3', kept, [bucket.arnForObjects('*')]);
  // Without it, a missing object answers 403 to a read instead of 404.
  if (actions.includes('GetObject')) allowActions(role, 's3', ['ListBucket'], [bucket.bucketArn]);
  const arn = bucketInFindings(role, bucket);
  acknowledge(role, {
    [`AwsSolutions-IAM5[Resource::${arn}/*]`]:
      'The function owns all objects of this bucket; their keys begin with workspaces that are made later.',
  });
  if (kept.length === actions.length) return;
  for (const prefix of deletedBelow) {
    allowActions(role, 's3', ['DeleteObject'], [bucket.arnForObjects(`${prefix}*`)]);
    acknowledge(role, {
      [`AwsSolutions-IAM5[Resource::${arn}/${prefix}*]`]:
        'What is made from other objects, or moved to them, may be deleted.',
    });
  }
}

const holdsData = ({ table, eventLedger, raw, lake, sends, fedBy }: Grants): boolean =>
  [table, eventLedger, raw, lake, sends, fedBy].some((granted) => granted !== undefined);

function allowSending(role: Role, queue: Queue): void {
  allowActions(role, 'sqs', ['SendMessage'], [queue.queueArn]);
}

/** Allows the secrets whose names begin with the prefix, and no others. */
export function allowSecrets(role: Role, prefix: string, actions: readonly string[]): void {
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

/** The construct of a function that is traced allows it to write its traces. */
export function acknowledgeTracing(role: Role): void {
  acknowledge(role, { 'AwsSolutions-IAM5[Resource::*]': 'X-Ray has no resources to name.' });
}
