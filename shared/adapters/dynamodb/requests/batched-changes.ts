import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type BatchStatementRequest,
  BatchWriteItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Key, keyName, keyOf } from '../keys/registry-keys.ts';
import { coalescedBatch } from './coalesced.ts';
import { type Item, itemsByKey } from './items.ts';
import type { Table } from './table.ts';
import { retryRefused, sendUntilProcessed } from './transact.ts';
import { type Change, writeStamp } from './update-item.ts';

const requestsInFlight = 8;
/** Of writes, as items or as statements. */
export const itemsPerRequest = 25;
/** DynamoDB takes 8,192 characters. */
const maxStatementLength = 8_000;

/** A write of one item for somebody, in PartiQL, with the condition that it holds under; null if it has to be made singly. */
type BatchedWrite<T> = { readonly one: T; readonly statement: BatchStatementRequest | null };

/** 25 a request, no two of one item. Returns those not known to be written: refused, throttled, too long or without a statement. */
async function executeBatched<T>(table: Table, writes: readonly BatchedWrite<T>[]): Promise<T[]> {
  const [left, sent]: [T[], { one: T; statement: BatchStatementRequest }[]] = [[], []];
  for (const { one, statement } of writes)
    if (statement === null || (statement.Statement?.length ?? 0) > maxStatementLength) left.push(one);
    else sent.push({ one, statement });
  const refused = await inParallel(requestsInFlight, chunksOf(sent, itemsPerRequest), async (some) => {
    const Statements = some.map(({ statement }) => statement);
    const { Responses = [] } = await retryRefused(() =>
      table.client.send(new BatchExecuteStatementCommand({ Statements })),
    );
    return some.flatMap(({ one }, i) => (Responses[i]?.Error === undefined ? [] : [one]));
  });
  return [...left, ...refused.flat()];
}

type KeyedChange = Change & { readonly key: Key };

/** Returns whether a change is known to be made. If not, for whatever reason, the item is to be updated singly. */
export type ChangeTogether = (change: KeyedChange) => Promise<boolean>;

/** Changes items by the batch (ADR 13): all that are requested in one turn of the event loop, or while others are written. */
export const batchedChanges = (table: Table): ChangeTogether =>
  writtenTogether<KeyedChange>(table, (change) => updateOf(table, change));

/** Inserts items that are not there in the same way. */
export const batchedInserts = (table: Table) =>
  writtenTogether<{ readonly key: Key; readonly attributes: Item }>(table, ({ key, attributes }) =>
    insertOf(table, key, attributes),
  );

function writtenTogether<W extends { readonly key: Key }>(
  table: Table,
  statementOf: (write: W) => BatchStatementRequest,
) {
  return coalescedBatch(async (all: readonly W[]) => {
    // Of two of one item the first is made, and the other is not known to be.
    const distinct = new Map(all.toReversed().map((one) => [keyName(one.key), one]));
    const writes = [...distinct.values()].map((one) => ({ one, statement: statementOf(one) }));
    const left = new Set(await executeBatched(table, writes));
    return all.map((one) => distinct.get(keyName(one.key)) === one && !left.has(one));
  });
}

/** AWS documents both a list of assignments and a repeated SET; not every emulator reads the latter. */
function updateOf({ name }: Table, { key, set, remove = [], where }: KeyedChange): BatchStatementRequest {
  const sets = Object.keys(set).map((attribute) => `"${attribute}"=?`);
  const removals = remove.map((attribute) => ` REMOVE "${attribute}"`);
  const conditions = where.map((one) =>
    one.is === 'missing' ? `"${one.name}" IS MISSING` : `"${one.name}"${one.is}?`,
  );
  const required = where.flatMap((one): AttributeValue[] => (one.is === 'missing' ? [] : [one.value]));
  return {
    Statement: `UPDATE "${name}" SET ${sets.join(', ')}${removals.join('')} WHERE ${['"pk"=?', '"sk"=?', ...conditions].join(' AND ')}`,
    Parameters: [...Object.values(set), { S: key.pk }, { S: key.sk }, ...required],
  };
}

/** An item as it was read, and what is to go: these attributes, or all of it. */
export type Reduction<T> = { readonly one: T; readonly read: Item; readonly remove: readonly string[] | 'item' };

/** Deletes or reduces items by the batch (ADR 13) if unchanged since the read. Returns those not known to be done. */
export const reduceUnchanged = <T>(table: Table, reductions: readonly Reduction<T>[]): Promise<T[]> =>
  executeBatched(
    table,
    reductions.map(({ one, read, remove }) => ({ one, statement: reductionOf(table, read, remove) })),
  );

/** Null for several attributes: DynamoDB documents a list for SET only. */
function reductionOf(table: Table, read: Item, remove: Reduction<never>['remove']): BatchStatementRequest | null {
  const { pk, sk, w } = read;
  if (!pk || !sk || !w) return null;
  if (remove === 'item')
    return { Statement: `DELETE FROM "${table.name}" WHERE "pk"=? AND "sk"=? AND "w"=?`, Parameters: [pk, sk, w] };
  if (remove.length !== 1) return null;
  return updateOf(table, {
    key: keyOf(read),
    set: { w: writeStamp() },
    remove,
    where: [{ name: 'w', is: '=', value: w }],
  });
}

/** Puts and deletes items without conditions, 25 a request; no two of them may have one key. */
export async function batchWrite({ client, name }: Table, requests: readonly WriteRequest[]): Promise<void> {
  await inParallel(requestsInFlight, chunksOf(requests, itemsPerRequest), (chunk) =>
    sendUntilProcessed(chunk, async (some) => {
      const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: some } }));
      return answer.UnprocessedItems?.[name];
    }),
  );
}

/** Of fewer each is its own request: to ask first which of them are there would save nothing. */
const fewest = 3;
const keysPerRead = 100;
const readsInFlight = 4;

type Insertion<T> = {
  readonly keyOf: (one: T) => Key;
  readonly attributesOf: (one: T) => Item | null;
  /** Is given the items that are there, with these attributes. */
  readonly found?: { readonly attributes: readonly string[]; readonly see: (item: Item) => void };
};

/** Inserts by the batch (ADR 13). Returns those that exist or were refused, for single updates. No two of one key. */
export async function insertMissing<T>(table: Table, wanted: readonly T[], insertion: Insertion<T>): Promise<T[]> {
  if (wanted.length < fewest) return [...wanted];
  const left = await inParallel(readsInFlight, chunksOf(wanted, keysPerRead), async (some) => {
    // What came or went since then is refused, or updated: the answer may be old.
    const { attributes = [], see } = insertion.found ?? {};
    const found = await itemsByKey(table, some.map(insertion.keyOf), { consistent: false, attributes });
    if (see) found.forEach(see);
    const isThere = (one: T) => found.has(keyName(insertion.keyOf(one)));
    const absent = some.filter((one) => !isThere(one));
    return [...some.filter(isThere), ...(await insertEach(table, absent, insertion))];
  });
  return left.flat();
}

/** The same of items that are believed not to be there. */
export const insertEach = <T>(
  table: Table,
  wanted: readonly T[],
  { keyOf, attributesOf }: Insertion<T>,
): Promise<T[]> =>
  executeBatched(
    table,
    wanted.map((one) => {
      const attributes = attributesOf(one);
      return { one, statement: attributes && insertOf(table, keyOf(one), attributes) };
    }),
  );

function insertOf(table: Table, { pk, sk }: Key, attributes: Item): BatchStatementRequest {
  const item: Item = { pk: { S: pk }, sk: { S: sk }, ...attributes };
  const names = Object.keys(item).map((name) => `'${name}':?`);
  return { Statement: `INSERT INTO "${table.name}" VALUE {${names.join(',')}}`, Parameters: Object.values(item) };
}
