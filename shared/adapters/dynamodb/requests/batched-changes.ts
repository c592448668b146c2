import {
  type AttributeValue,
  type BatchStatementRequest,
  BatchWriteItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { lruCache } from '../../../domain/base/caching.ts';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Key, keyName, keyOf } from '../keys/registry-keys.ts';
import { type BatchGetOptions, batchGet, type Item } from './batch-get.ts';
import { type BatchedWrite, executeBatched } from './batch-statements.ts';
import { coalescedBatch } from './coalesced.ts';
import type { Table } from './table.ts';
import { backoff } from './transact.ts';

/** What an attribute must be; `missing` is that it is not there, the others that it is and compares so. */
type Requirement =
  | { readonly name: string; readonly is: '<' | '<='; readonly value: AttributeValue }
  | { readonly name: string; readonly is: 'missing' };

/** What is to become of an item that is there, where its attributes are as they must be. */
export type Change = {
  readonly key: Key;
  readonly set: readonly (readonly [name: string, value: AttributeValue])[];
  readonly where: readonly Requirement[];
};

/** Answers whether a change is known to be made; where it is not, for whatever reason, the item is to be updated by itself. */
export type ChangeTogether = (change: Change) => Promise<boolean>;

/** Changes items by the batch (ADR 13): all that are asked for in one turn of the event loop, or while others are written. */
export function batchedChanges(table: Table): ChangeTogether {
  return coalescedBatch(async (changes: readonly Change[]) => {
    // Of two of one item the first is made, and the other is not known to be.
    const distinct = new Map(changes.toReversed().map((one) => [keyName(one.key), one]));
    const writes = [...distinct.values()].map((one) => ({ one, statement: statementOf(table, one) }));
    const left = new Set(await executeBatched(table, writes));
    return changes.map((one) => distinct.get(keyName(one.key)) === one && !left.has(one));
  });
}

/** DynamoDB documents `SET a=? SET b=?`. The embedded emulator takes `SET a=?, b=?` only, which its environment says. */
const betweenAssignments = (): string => (process.env['PARTIQL_ASSIGNMENTS'] === 'listed' ? ', ' : ' SET ');

function statementOf({ name }: Table, { key, set, where }: Change): BatchStatementRequest {
  const sets = `SET ${set.map(([attribute]) => `"${attribute}"=?`).join(betweenAssignments())}`;
  const conditions = where.map((one) =>
    one.is === 'missing' ? `"${one.name}" IS MISSING` : `"${one.name}"${one.is}?`,
  );
  return {
    Statement: `UPDATE "${name}" ${sets} WHERE ${['"pk"=?', '"sk"=?', ...conditions].join(' AND ')}`,
    Parameters: [
      ...set.map(([, value]) => value),
      { S: key.pk },
      { S: key.sk },
      ...where.flatMap((one) => (one.is === 'missing' ? [] : [one.value])),
    ],
  };
}

const itemsPerRequest = 25;
const requestsInFlight = 8;

/** Puts and deletes items without conditions, 25 a request; no two of them may have one key. */
export async function batchWrite(table: Table, requests: readonly WriteRequest[]): Promise<void> {
  await inParallel(requestsInFlight, chunksOf(requests, itemsPerRequest), (chunk) => writeChunk(table, chunk));
}

async function writeChunk(table: Table, chunk: WriteRequest[]): Promise<void> {
  let request = chunk;
  for (let attempt = 0; request.length > 0; attempt++) {
    await backoff(attempt);
    const answer = await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: request } }));
    const unprocessed = answer.UnprocessedItems?.[table.name] ?? [];
    // A large request leaves items unprocessed too: only attempts without progress count.
    if (unprocessed.length < request.length) attempt = 0;
    request = unprocessed;
  }
}

/**
 * Items by their keys, read by one request for all who wait, and consistently unless asked otherwise; null where there is
 * none. For workers, not for answers: what one request costs would depend on its neighbours.
 */
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

/** Writes of an item by the batch, which does not tell what it consumed, before one by itself tells how large it is. */
const writesUnseen = 16;

/** What a process knows to be in the table, and to be small, by writes of its own. */
export type KnownItems = {
  /** Whether all of these are known. */
  readonly has: (names: readonly string[]) => boolean;
  /** Notes that a write of its own told of these that they are there and small. */
  readonly note: (names: readonly string[]) => void;
  /** Notes that they were written unseen. */
  readonly noteUnseen: (names: readonly string[]) => void;
  readonly forget: (names: readonly string[]) => void;
};

/** Nothing is known at first; of 100,000 items those are forgotten that were not asked about for longest. */
export function knownItems(): KnownItems {
  const writesLeft = lruCache<string, number>(100_000);
  const setAll = (names: readonly string[], left: (name: string) => number) => {
    for (const name of names) writesLeft.set(name, left(name));
  };
  return {
    has: (names) => names.every((name) => (writesLeft.get(name) ?? 0) > 0),
    note: (names) => setAll(names, () => writesUnseen),
    noteUnseen: (names) => setAll(names, (name) => (writesLeft.get(name) ?? 1) - 1),
    forget: (names) => setAll(names, () => 0),
  };
}

type Writer = { readonly known: KnownItems; readonly changeTogether: ChangeTogether };

/** Makes a change by the batch where the process knows what it is of; answers whether it is known to be made. */
export async function changeKnown(
  { known, changeTogether }: Writer,
  names: readonly string[],
  change: () => Change,
): Promise<boolean> {
  if (!known.has(names)) return false;
  const isMade = await changeTogether(change());
  if (isMade) known.noteUnseen(names);
  else known.forget(names);
  return isMade;
}

/** Of fewer each is a request of its own: to ask first which of them are there would save nothing. */
const fewest = 3;
const keysPerRead = 100;
const readsInFlight = 4;

type Insertion<T> = {
  readonly keyOf: (one: T) => Key;
  /** The attributes beside the key; null of what is not to be inserted. */
  readonly attributesOf: (one: T) => Item | null;
};

/**
 * Inserts items that are not there, by the batch (ADR 13). Answers those that are there, or that were refused for another
 * reason: they are to be updated one by one, which may be done to what was inserted too. No two may have one key.
 */
export async function insertMissing<T>(table: Table, wanted: readonly T[], insertion: Insertion<T>): Promise<T[]> {
  if (wanted.length < fewest) return [...wanted];
  const left = await inParallel(readsInFlight, chunksOf(wanted, keysPerRead), async (some) => {
    const keys = some.map(insertion.keyOf);
    // What came or went since then is refused, or updated: the answer may be old.
    const found = await batchGet(table, keys, { attributes: ['pk', 'sk'] });
    const there = new Set(found.map((item) => keyName(keyOf(item))));
    const isThere = (one: T) => there.has(keyName(insertion.keyOf(one)));
    const absent = some.filter((one) => !isThere(one));
    return [...some.filter(isThere), ...(await insertEach(table, absent, insertion))];
  });
  return left.flat();
}

/** The same of items that are believed not to be there. */
export async function insertEach<T>(table: Table, wanted: readonly T[], insertion: Insertion<T>): Promise<T[]> {
  const [left, writes]: [T[], BatchedWrite<T>[]] = [[], []];
  for (const one of wanted) {
    const attributes = insertion.attributesOf(one);
    if (attributes === null) left.push(one);
    else writes.push({ one, statement: insertOf(table, insertion.keyOf(one), attributes) });
  }
  return [...left, ...(await executeBatched(table, writes))];
}

function insertOf(table: Table, { pk, sk }: Key, attributes: Item): BatchedWrite<never>['statement'] {
  const item: Item = { pk: { S: pk }, sk: { S: sk }, ...attributes };
  const names = Object.keys(item).map((name) => `'${name}':?`);
  return { Statement: `INSERT INTO "${table.name}" VALUE {${names.join(',')}}`, Parameters: Object.values(item) };
}
