import { BatchWriteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { accessKeysOf } from '../../shared/contract/stack-outputs.ts';
import type { ServiceCredentials } from '../../test/support/service-process.ts';

const dayMs = 86_400_000;

/**
 * Deletes what has expired a day ago, as DynamoDB does for nothing: the emulator has the machine's time, not the week's.
 * Answers how many items that were.
 */
export async function deleteExpired({ local }: ServiceCredentials): Promise<number> {
  const client = new DynamoDBClient({
    region: local.region,
    endpoint: local.endpoints.dynamodb,
    credentials: accessKeysOf(local),
  });
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { 'x-unmetered': '1' });
      return next(args);
    },
    { step: 'build', name: 'unmetered' },
  );
  try {
    let deleted = 0;
    for (const [TableName, keys] of [
      [local.table, 'pk, sk'],
      [local.event_table, 'pk'],
    ] as const)
      deleted += await deleteExpiredOf(client, TableName, keys);
    return deleted;
  } finally {
    client.destroy();
  }
}

async function deleteExpiredOf(client: DynamoDBClient, TableName: string, keys: string): Promise<number> {
  let deleted = 0;
  const expired = {
    FilterExpression: '#ttl < :then',
    ProjectionExpression: keys,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':then': { N: String(Math.floor((Date.now() - dayMs) / 1_000)) } },
  };
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ...expired }))
    for (let from = 0; from < Items.length; from += 25) {
      const some = Items.slice(from, from + 25);
      const RequestItems = { [TableName]: some.map((Key) => ({ DeleteRequest: { Key } })) };
      await client.send(new BatchWriteItemCommand({ RequestItems }));
      deleted += some.length;
    }
  return deleted;
}
