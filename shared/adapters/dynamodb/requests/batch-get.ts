import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Key, keyName, keyOf } from '../keys/registry-keys.ts';
import { coalescedBatch } from './coalesced.ts';
import type { Table } from './table.ts';
import { backoff } from './transact.ts';

export type Item = Record<string, AttributeValue>;

export type BatchGetOptions = {
  readonly consistent?: boolean;
  readonly attributes?: readonly string[];
};

const keysPerRequest = 100;
const requestsInFlight = 8;

export const batchGet = (table: Table, keys: readonly Key[], options: BatchGetOptions = {}): Promise<Item[]> =>
  batchGetAs(table, keys, (item) => item, options);

/** What items are read as: those of one request while others are under way. */
export async function batchGetAs<T>(
  table: Table,
  keys: readonly Key[],
  as: (item: Item) => T,
  options: BatchGetOptions = {},
): Promise<T[]> {
  const found = await inParallel(requestsInFlight, chunksOf(keys, keysPerRequest), async (chunk) =>
    (await getChunk(table, chunk, options)).map(as),
  );
  return found.flat();
}

async function getChunk(
  table: Table,
  keys: readonly Key[],
  { consistent = false, attributes }: BatchGetOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  const projection = attributes && {
    ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
  };
  let request: Record<string, AttributeValue>[] = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
  for (let attempt = 0; request.length > 0; attempt++) {
    // Throttled keys come back unprocessed; asking again at once would be throttled again.
    await backoff(attempt);
    const answer = await table.client.send(
      new BatchGetItemCommand({
        RequestItems: { [table.name]: { Keys: request, ConsistentRead: consistent, ...projection } },
      }),
    );
    items.push(...(answer.Responses?.[table.name] ?? []));
    const unprocessed = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    // A full response leaves keys unprocessed too: only attempts without progress count.
    if (unprocessed.length < request.length) attempt = 0;
    request = unprocessed;
  }
  return items;
}

/** Reads items of all waiting callers in one request. For workers only: API responses must not share costs. */
export const batchedItems = (
  table: Table,
  { consistent = true }: Pick<BatchGetOptions, 'consistent'> = {},
): ((key: Key) => Promise<Item | null>) =>
  coalescedBatch(async (keys) => {
    const distinct = new Map(keys.map((key) => [keyName(key), key]));
    const read = await batchGet(table, [...distinct.values()], { consistent });
    const found = new Map(read.map((item) => [keyName(keyOf(item)), item]));
    return keys.map((key) => found.get(keyName(key)) ?? null);
  });

/** What the schema would not fill in when it reads: a small item is one write unit, in the table and in each index. */
export const withoutDefaults = (values: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => !isDefault(value));

const isDefault = (value: unknown): boolean =>
  value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const attributes = (values: Readonly<Record<string, unknown>>): Record<string, AttributeValue> =>
  marshall(values, { removeUndefinedValues: true });
