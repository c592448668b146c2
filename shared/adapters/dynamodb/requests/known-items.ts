import { lruCache } from '../../../domain/base/caching.ts';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Key, keyName, keyOf } from '../keys/key.ts';
import { batchGet, type Item } from './batch-get.ts';
import { type BatchedWrite, executeBatched } from './batch-statements.ts';
import type { Change, ChangeTogether } from './batched-changes.ts';
import type { Table } from './table.ts';

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
