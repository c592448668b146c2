import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { type QueueName, queueNames } from '../../../shared/contract/stack-outputs.ts';
import type { Stores } from '../stores.ts';

/** Tables and buckets that one run alone works with. */
export type RunStores = {
  /** The queues by their addresses. */
  readonly queues: ReadonlyMap<string, QueueName>;
  /** The time at which the run begins, in milliseconds. */
  readonly began: number;
  /** The same start of a function, its environment naming these stores. */
  readonly used: <F>(start: () => F) => () => F;
  readonly remove: () => Promise<void>;
};

type Item = Record<string, AttributeValue>;

const tables = ['TABLE_NAME', 'EVENT_TABLE_NAME'] as const;
const buckets = ['RAW_BUCKET', 'LAKE_BUCKET'] as const;
const itemsPerRequest = 25;

/** Makes stores for runs: each begins with the items that the tables of `stores` hold now. */
export async function runStoresFrom({ environment }: Stores, began: number): Promise<() => Promise<RunStores>> {
  const [client, s3] = [new DynamoDBClient({}), new S3Client({ forcePathStyle: true })];
  const forms = await Promise.all(tables.map((name) => formOf(client, environment[name])));
  const items = await itemsOf(client, environment.TABLE_NAME);
  const queues = new Map(queueNames.map((name) => [environment[`${queueVariable(name)}_QUEUE_URL`], name]));
  let built = 0;
  return async () => {
    const suffix = `-${built++}`;
    const named = Object.fromEntries([...tables, ...buckets].map((name) => [name, `${environment[name]}${suffix}`]));
    await Promise.all([
      ...forms.map((form, i) => client.send(new CreateTableCommand({ ...form, TableName: named[tables[i] ?? ''] }))),
      ...buckets.map((name) => s3.send(new CreateBucketCommand({ Bucket: named[name] }))),
    ]);
    await put(client, named['TABLE_NAME'] ?? '', items);
    return {
      queues,
      began,
      used: (start) => () => {
        Object.assign(process.env, named);
        return start();
      },
      remove: async () => {
        for (const name of tables) await client.send(new DeleteTableCommand({ TableName: named[name] }));
      },
    };
  };
}

const queueVariable = (name: QueueName) => name.toUpperCase() as Uppercase<QueueName>;

async function formOf(client: DynamoDBClient, TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const indexes = Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
  return {
    AttributeDefinitions: Table?.AttributeDefinitions,
    KeySchema: Table?.KeySchema,
    BillingMode: 'PAY_PER_REQUEST' as const,
    GlobalSecondaryIndexes: indexes,
  };
}

export async function itemsOf(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) found.push(...Items);
  return found;
}

async function put(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  for (let i = 0; i < items.length; i += itemsPerRequest) {
    const requests = items.slice(i, i + itemsPerRequest).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
}
