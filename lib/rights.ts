import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { type Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Stack } from 'aws-cdk-lib/core';
import { Fault } from '../shared/contract/fault.ts';
import { acknowledge } from './acknowledge.ts';
import type { Grants } from './function-specs.ts';
import type { Stores } from './stores.ts';
import { indexNames } from './tables.ts';

const readItems = ['GetItem', 'BatchGetItem', 'Query'];
const tableActions = {
  read: readItems,
  update: ['UpdateItem'],
  readWrite: [...readItems, 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
} as const;

const objectActions = {
  read: ['GetObject'],
  write: ['PutObject'],
  readWrite: ['GetObject', 'PutObject', 'DeleteObject'],
} as const;

/** Allows a role exactly what the grants name: no wildcard but the objects of a bucket. */
export function allow(role: Role, stores: Stores, grants: Grants): void {
  const { tables, buckets, events, projection } = stores;
  if (grants.table) allowTable(role, tables.main, indexNames, grants.table);
  if (grants.eventLedger) allowTable(role, tables.eventLedger, [], grants.eventLedger);
  if (grants.raw) allowBucket(role, buckets.raw, grants.raw);
  if (grants.lake) allowBucket(role, buckets.lake, grants.lake);
  if (grants.sends?.includes('events')) allowSending(role, events.queue);
  if (grants.sends?.includes('projection')) allowSending(role, projection.queue);
  allowTracing(role);
}

function allowTable(
  role: Role,
  { tableArn }: Table,
  indexes: readonly string[],
  level: keyof typeof tableActions,
): void {
  const indexArns = indexes.map((index) => `${tableArn}/index/${index}`);
  add(role, 'dynamodb', tableActions[level], [tableArn, ...indexArns]);
}

function allowBucket(role: Role, bucket: Bucket, level: keyof typeof objectActions): void {
  add(role, 's3', objectActions[level], [bucket.arnForObjects('*')]);
  // Without it, a missing object answers 403 to a read instead of 404.
  if (level !== 'write') add(role, 's3', ['ListBucket'], [bucket.bucketArn]);
  const resource = bucket.node.defaultChild;
  if (!CfnBucket.isCfnElement(resource)) throw new Fault('bucket_without_resource', 'A bucket has no resource.');
  acknowledge(role, {
    [`AwsSolutions-IAM5[Resource::<${Stack.of(role).getLogicalId(resource)}.Arn>/*]`]:
      'The function owns all objects of this bucket; their keys begin with workspaces that are made later.',
  });
}

function allowSending(role: Role, queue: Queue): void {
  add(role, 'sqs', ['SendMessage'], [queue.queueArn]);
}

function allowTracing(role: Role): void {
  add(role, 'xray', ['PutTraceSegments', 'PutTelemetryRecords'], ['*']);
  acknowledge(role, { 'AwsSolutions-IAM5[Resource::*]': 'X-Ray has no resources to name.' });
}

function add(role: Role, service: string, names: readonly string[], resources: string[]): void {
  role.addToPolicy(new PolicyStatement({ actions: names.map((name) => `${service}:${name}`), resources }));
}
