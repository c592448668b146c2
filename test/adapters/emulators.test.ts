import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { startEmulators } from '../../local/emulators/start.ts';
import { provideStores } from '../support/provide-stores.ts';

describe('the emulated stores', () => {
  const stores = provideStores();

  it('have the tables of the stack with both indexes', async () => {
    const { Table } = await stores.client.send(new DescribeTableCommand({ TableName: stores.environment.TABLE_NAME }));
    expect(Table?.GlobalSecondaryIndexes?.map((index) => index.IndexName).sort()).toEqual(['gsi1', 'gsi2']);
  });

  it('have the buckets of the stack', async () => {
    const { Buckets } = await new S3Client({ forcePathStyle: true }).send(new ListBucketsCommand({}));
    expect(Buckets?.map((bucket) => bucket.Name)).toEqual(
      expect.arrayContaining([stores.environment.RAW_BUCKET, stores.environment.LAKE_BUCKET]),
    );
  });

  it('hand over what was sent to a queue', async () => {
    const QueueUrl = stores.environment.EVENTS_QUEUE_URL;
    const sqs = new SQSClient({});
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages?.map((message) => message.Body)).toEqual(['hello']);
  });

  it('leave no process behind if one of them cannot start', async () => {
    const processes = () => process.getActiveResourcesInfo().filter((one) => one === 'ProcessWrap').length;
    const folder = await mkdtemp(path.join(tmpdir(), 'emulators-'));
    await writeFile(path.join(folder, 'secrets.sealed'), 'not sealed');
    const before = processes();
    await expect(startEmulators(folder)).rejects.toThrow();
    // What was starting has started and ended by then.
    expect([existsSync(path.join(folder, 'dynamodb.sqlite')), processes()]).toEqual([true, before]);
    await rm(folder, { recursive: true });
  });
});
