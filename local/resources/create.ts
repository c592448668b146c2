import path from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { BucketAlreadyExists, BucketAlreadyOwnedByYou, CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { Emulators } from '../emulators/start.ts';
import { type Wiring, wired } from '../template/wiring.ts';
import { withClients } from './clients.ts';

export const createResources = (emulators: Emulators, wiring: Wiring): Promise<unknown> =>
  withClients(emulators, ({ dynamodb, s3, sqs }) =>
    Promise.all([createTables(dynamodb, wiring), createBuckets(s3, wiring), createQueues(sqs, wiring)]),
  );

async function createBuckets(client: S3Client, wiring: Wiring): Promise<void> {
  for (const { ref } of wired(wiring, 'AWS::S3::Bucket', v.object({})))
    try {
      await client.send(new CreateBucketCommand({ Bucket: ref }));
    } catch (error) {
      if (!(error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists)) throw error;
    }
}

const QueueProperties = v.object({
  VisibilityTimeout: v.optional(v.number()),
  MessageRetentionPeriod: v.optional(v.number()),
  DelaySeconds: v.optional(v.number()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
});

async function createQueues(client: SQSClient, wiring: Wiring): Promise<void> {
  const queues = wired(wiring, 'AWS::SQS::Queue', QueueProperties);
  // A redrive policy may only name a queue that exists.
  queues.sort((a, b) => Number('RedrivePolicy' in a.properties) - Number('RedrivePolicy' in b.properties));
  for (const { ref, properties } of queues) {
    const { RedrivePolicy, ...numbers } = properties;
    const attributes: Record<string, string> = {};
    for (const [name, value] of Object.entries(numbers)) if (value !== undefined) attributes[name] = String(value);
    if (RedrivePolicy) attributes['RedrivePolicy'] = JSON.stringify(RedrivePolicy);
    await client.send(new CreateQueueCommand({ QueueName: path.basename(ref), Attributes: attributes }));
  }
}

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const TableProperties = v.object({
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  KeySchema,
  BillingMode: v.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema,
        Projection: v.object({ ProjectionType: v.picklist(['ALL', 'KEYS_ONLY']) }),
      }),
    ),
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string(), Enabled: v.boolean() })),
});

export async function createTables(client: DynamoDBClient, wiring: Wiring): Promise<void> {
  for (const { ref, properties } of wired(wiring, 'AWS::DynamoDB::Table', TableProperties)) {
    const { TimeToLiveSpecification, GlobalSecondaryIndexes, ...rest } = properties;
    const input = { TableName: ref, ...rest, ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }) };
    if (!(await createTable(client, input)) || !TimeToLiveSpecification) continue;
    await client.send(new UpdateTimeToLiveCommand({ TableName: ref, TimeToLiveSpecification }));
  }
}

async function createTable(client: DynamoDBClient, input: CreateTableCommandInput): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}
