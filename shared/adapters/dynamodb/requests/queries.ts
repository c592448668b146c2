import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type Key, keyOf } from '../keys/registry-keys.ts';
import { attributes, type Item } from './items.ts';
import type { Table } from './table.ts';

type Query = Omit<QueryCommandInput, 'TableName'>;

export const inPartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** The part of a partition from one sort key to another, both included. */
export const between = (pk: string, first: string, last: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
  ExpressionAttributeValues: { ':pk': { S: pk }, ':first': { S: first }, ':last': { S: last } },
});

/** One answer of the store: at most 1 MB. */
export const queryOnce = ({ client, name }: Table, query: Query) =>
  client.send(new QueryCommand({ TableName: name, ...query }));

export async function queryEach<T>(table: Table, query: Query, read: (item: Item) => T): Promise<T[]> {
  const found: T[] = [];
  for await (const item of queryAll(table, query)) found.push(read(item));
  return found;
}

export async function* queryAll(table: Table, query: Query): AsyncGenerator<Item> {
  for await (const items of queryPages(table, query)) yield* items;
}

/** The same, an answer of the store at a time. */
export async function* queryPages(table: Table, query: Query): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const answer = await queryOnce(table, { ...query, ...(start && { ExclusiveStartKey: start }) });
    yield answer.Items ?? [];
    start = answer.LastEvaluatedKey;
  } while (start);
}

/** A key after all entries of that time in a due list. */
export const dueUntil = (now: string): string => `${now}~`;

export async function dueItems(table: Table, list: string, now: string, limit: number): Promise<readonly Item[]> {
  const { Items = [] } = await queryOnce(table, { ...dueIn(list, now), Limit: limit });
  return Items;
}

export const dueIn = (list: string, now: string) => ({
  IndexName: 'gsi2',
  KeyConditionExpression: 'gsi2pk = :list AND gsi2sk <= :now',
  ExpressionAttributeValues: attributes({ ':list': list, ':now': dueUntil(now) }),
});

/** After every character of a text: a code point that none holds. */
const last = '\u{10FFFF}';

/** A range, not `begins_with`: for that the embedded emulator reads whole partitions, and folds case. */
export const beginningWith = ({ pk, sk }: Key, index?: 'gsi1') => ({
  ...(index && { IndexName: index }),
  KeyConditionExpression: `${index ?? ''}pk = :pk AND ${index ?? ''}sk BETWEEN :first AND :last`,
  ExpressionAttributeValues: { ':pk': { S: pk }, ':first': { S: sk }, ':last': { S: sk + last } },
});

type PrefixPage = {
  readonly pk: string;
  /** What the sort keys begin with; empty for all. */
  readonly prefix: string;
  readonly after: string | null;
  readonly limit: number;
  readonly consistent?: boolean;
};

export async function queryPrefix(table: Table, { pk, prefix, after, limit, consistent = false }: PrefixPage) {
  const answer = await queryOnce(table, {
    ...(prefix === '' ? inPartition(pk) : beginningWith({ pk, sk: prefix })),
    ...(after !== null && { ExclusiveStartKey: { pk: { S: pk }, sk: { S: after } } }),
    Limit: limit,
    ConsistentRead: consistent,
  });
  return { items: answer.Items ?? [], next: answer.LastEvaluatedKey ? keyOf(answer.LastEvaluatedKey).sk : null };
}

/** Rows that a page looks at: a filter that few rows pass must not read the whole list. */
const rowsPerPage = 2_000;

/** Has a read return only items whose attributes have these values, as `values` names them; null: any value. */
export function filtering(filters: Readonly<Record<string, string | null>>) {
  const chosen = Object.entries(filters).filter(([, value]) => value !== null);
  const filter = {
    FilterExpression: chosen.map(([name]) => `#${name} = :${name}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(chosen.map(([name]) => [`#${name}`, name])),
  };
  const values = attributes(Object.fromEntries(chosen.map(([name, value]) => [`:${name}`, value])));
  return { filter: chosen.length > 0 ? filter : {}, values };
}

type ListPage = {
  readonly list: string;
  readonly before: string | null;
  readonly filters: Readonly<Record<string, string | null>>;
  readonly limit: number;
};

/** Items of a list in `gsi1`, newest first, more than `limit` where there are; `reached` is the last row looked at, null at the end. */
export async function queryPage(table: Table, { list, before, filters, limit }: ListPage) {
  const { filter, values } = filtering(filters);
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: `gsi1pk = :list${before === null ? '' : ' AND gsi1sk < :before'}`,
    ...filter,
    ExpressionAttributeValues: { ...attributes({ ':list': list, ':before': before ?? undefined }), ...values },
    ScanIndexForward: false,
    Limit: 200,
  };
  const items: Item[] = [];
  let start: Item | undefined;
  let looked = 0;
  do {
    const answer = await queryOnce(table, { ...query, ...(start && { ExclusiveStartKey: start }) });
    items.push(...(answer.Items ?? []));
    looked += answer.ScannedCount ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start && items.length <= limit && looked < rowsPerPage);
  return { items, reached: start?.['gsi1sk']?.S ?? null };
}
