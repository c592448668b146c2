import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

/** What a function cannot go below that asks a table once with the unmodified SDK. */
export async function handler(): Promise<object> {
  const Key = { pk: { S: 'floor' }, sk: { S: 'floor' } };
  await client.send(new GetItemCommand({ TableName: process.env['TABLE_NAME'], Key }));
  return {};
}
