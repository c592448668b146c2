import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from './batch-get.ts';
import { beginningWith } from './beginning-with.ts';
import { keyOf } from './keys/key.ts';
import type { Table } from './table.ts';

type PrefixPage = {
  readonly pk: string;
  /** What the sort keys begin with; empty for all. */
  readonly prefix: string;
  /** The sort key after which the page begins. */
  readonly after: string | null;
  readonly limit: number;
  readonly consistent?: boolean;
};

const wholePartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** A page of the items of a partition, by the beginning of their sort keys; `next` is its last one, null at the end. */
export async function queryPrefix(
  table: Table,
  { pk, prefix, after, limit, consistent = false }: PrefixPage,
): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> {
  const answer = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(prefix === '' ? wholePartition(pk) : beginningWith({ pk, sk: prefix })),
      ...(after !== null && { ExclusiveStartKey: { pk: { S: pk }, sk: { S: after } } }),
      Limit: limit,
      ConsistentRead: consistent,
    }),
  );
  return { items: answer.Items ?? [], next: answer.LastEvaluatedKey ? keyOf(answer.LastEvaluatedKey).sk : null };
}
