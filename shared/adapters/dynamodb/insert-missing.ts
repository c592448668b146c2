import { chunksOf } from '../../domain/chunks-of.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { batchGet, type Item } from './batch-get.ts';
import { type BatchedWrite, executeBatched } from './batch-statements.ts';
import { type Key, keyName, keyOf } from './keys/key.ts';
import type { Table } from './table.ts';

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
