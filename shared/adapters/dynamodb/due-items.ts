import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import type { Table } from './table.ts';

/** After every place of that moment in a list of what is due. */
export const dueUntil = (now: string): string => `${now}~`;

/** The first items of a list of what is due, up to that moment; at most so many. */
export async function dueItems(table: Table, list: string, now: string, limit: number): Promise<readonly Item[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'gsi2',
      KeyConditionExpression: 'gsi2pk = :list AND gsi2sk <= :now',
      ExpressionAttributeValues: attributes({ ':list': list, ':now': dueUntil(now) }),
      Limit: limit,
    }),
  );
  return Items;
}
