import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './batch-get.ts';
import type { Table } from './table.ts';

type Query = Omit<QueryCommandInput, 'TableName'>;

/** The items that a query finds, page after page. */
export async function* queryAll(table: Table, query: Query): AsyncGenerator<Item> {
  for await (const items of queryPages(table, query)) yield* items;
}

/** The same, an answer of the store at a time. */
export async function* queryPages(table: Table, query: Query): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({ TableName: table.name, ...query, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield answer.Items ?? [];
    start = answer.LastEvaluatedKey;
  } while (start);
}
