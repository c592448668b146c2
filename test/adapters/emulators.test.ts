import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stores, startStores } from '../support/stores.ts';

describe('the emulated stores', () => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await startStores();
  });
  afterAll(() => stores.stop());

  it('have the tables of the stack with both indexes', async () => {
    const { Table } = await new DynamoDBClient({}).send(
      new DescribeTableCommand({ TableName: stores.environment['TABLE_NAME'] }),
    );
    expect(Table?.GlobalSecondaryIndexes?.map((index) => index.IndexName).sort()).toEqual(['gsi1', 'gsi2']);
  });

  it('have the buckets of the stack', async () => {
    const { Buckets } = await new S3Client({ forcePathStyle: true }).send(new ListBucketsCommand({}));
    expect(Buckets?.map((bucket) => bucket.Name)).toEqual(
      expect.arrayContaining([stores.environment['RAW_BUCKET'], stores.environment['LAKE_BUCKET']]),
    );
  });

  it('hand over what was sent to a queue', async () => {
    const QueueUrl = stores.environment['EVENTS_QUEUE_URL'];
    const sqs = new SQSClient({});
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages?.map((message) => message.Body)).toEqual(['hello']);
  });
});
