import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Key, keyName, keyOf } from '../keys/registry-keys.ts';
import { coalescedBatch } from './coalesced.ts';
import type { Table } from './table.ts';
import { attempted, sendUntilProcessed } from './transact.ts';

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

export const ifAbsent: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

export const keyAttributes = ({ pk, sk }: Key): Record<'pk' | 'sk', AttributeValue> => ({
  pk: { S: pk },
  sk: { S: sk },
});

/** The item at a key, read consistently. */
export async function getItem(table: Table, key: Key): Promise<Item | null> {
  const [item] = await batchGet(table, [key], { consistent: true });
  return item ?? null;
}

export async function getRecord<R>(table: Table, schema: v.GenericSchema<unknown, R>, key: Key): Promise<R | null> {
  const item = await getItem(table, key);
  return item && v.parse(schema, unmarshall(item));
}

/** Puts an item. Returns the item that refused the condition (empty if there is none), or null if it was put. */
export async function putItem(table: Table, item: Item, condition?: Condition): Promise<Item | null> {
  const command = new PutItemCommand({
    TableName: table.name,
    Item: item,
    ...(condition && { ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
  });
  const { refusal } = await attempted(table.client.send(command));
  return refusal && (refusal.Item ?? {});
}

export const deleteItem = async (table: Table, key: AnyKey, condition: Condition = {}): Promise<boolean> =>
  (await deleted(table, key, condition)) !== null;

/** Deletes an item and returns it; null if there was none, or the condition was refused. */
export const takeItem = async (table: Table, key: AnyKey, condition: Condition = {}): Promise<Item | null> =>
  (await deleted(table, key, { ...condition, ReturnValues: 'ALL_OLD' }))?.Attributes ?? null;

/** Tables without sort keys have only `pk`. */
type AnyKey = Readonly<Record<string, string>>;

async function deleted({ client, name }: Table, key: AnyKey, options: Partial<DeleteItemCommandInput>) {
  const command = new DeleteItemCommand({ TableName: name, Key: attributes(key), ...options });
  return (await attempted(client.send(command))).answer;
}

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

/** Has a read send only these attributes. */
export const projected = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
});

async function getChunk(
  table: Table,
  keys: readonly Key[],
  { consistent = false, attributes }: BatchGetOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  const options = { ConsistentRead: consistent, ...(attributes && projected(attributes)) };
  await sendUntilProcessed<Item>(keys.map(keyAttributes), async (Keys) => {
    const command = new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys, ...options } } });
    const { Responses, UnprocessedKeys } = await table.client.send(command);
    items.push(...(Responses?.[table.name] ?? []));
    return UnprocessedKeys?.[table.name]?.Keys;
  });
  return items;
}

/** Items by the names of their keys, read consistently by default. Keys may repeat; one without an item is left out. */
export async function itemsByKey(
  table: Table,
  keys: readonly Key[],
  { consistent = true, attributes }: BatchGetOptions = {},
): Promise<ReadonlyMap<string, Item>> {
  const distinct = new Map(keys.map((key) => [keyName(key), key]));
  const only = attributes && { attributes: ['pk', 'sk', ...attributes] };
  const items = await batchGet(table, [...distinct.values()], { consistent, ...only });
  return new Map(items.map((item) => [keyName(keyOf(item)), item]));
}

/** Reads items of all waiting callers in one request. For workers only: API responses must not share costs. */
export const batchedItems = (
  table: Table,
  { consistent = true }: Pick<BatchGetOptions, 'consistent'> = {},
): ((key: Key) => Promise<Item | null>) =>
  coalescedBatch(async (keys) => {
    const found = await itemsByKey(table, keys, { consistent });
    return keys.map((key) => found.get(keyName(key)) ?? null);
  });

/** What the schema would not fill in when it reads: a small item is one write unit, in the table and in each index. */
export const withoutDefaults = (values: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => !isDefault(value));

const isDefault = (value: unknown): boolean =>
  value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const attributes = (values: Readonly<Record<string, unknown>>): Record<string, AttributeValue> =>
  marshall(values, { removeUndefinedValues: true });
