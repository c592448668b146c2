import { BatchExecuteStatementCommand, type BatchStatementRequest } from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../domain/chunks-of.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { batchGet, type Item } from './batch-get.ts';
import { type Key, keyName, keyOf } from './keys/key.ts';
import type { Table } from './table.ts';
import { retryRefused } from './transact.ts';

/** Of fewer each is a request of its own: to ask first which of them are there would save nothing. */
const fewest = 3;
const keysPerRead = 100;
const readsInFlight = 4;
const statementsPerRequest = 25;
/** DynamoDB takes 8,192 characters. */
const maxStatementLength = 8_000;

type Insertion<T> = {
  readonly keyOf: (one: T) => Key;
  /** The attributes beside the key; null of what is not to be inserted. */
  readonly attributesOf: (one: T) => Item | null;
};

/**
 * Inserts items that are not there, 25 a request: a write under a condition has a request of its own otherwise. Answers
 * those that are there, or that were refused for another reason: they are to be updated one by one, which may be done
 * to what was inserted too. No two items may have one key.
 */
export async function insertMissing<T>(table: Table, wanted: readonly T[], insertion: Insertion<T>): Promise<T[]> {
  if (wanted.length < fewest) return [...wanted];
  const reads = chunksOf(wanted, keysPerRead);
  const left = await inParallel(readsInFlight, reads, (some) => insertSome(table, some, insertion));
  return left.flat();
}

async function insertSome<T>(table: Table, wanted: readonly T[], insertion: Insertion<T>): Promise<T[]> {
  const keys = wanted.map(insertion.keyOf);
  // What came or went since then is refused, or updated: the answer may be old.
  const there = new Set(
    (await batchGet(table, keys, { attributes: ['pk', 'sk'] })).map((item) => keyName(keyOf(item))),
  );
  const [left, insertable]: [T[], { one: T; statement: BatchStatementRequest }[]] = [[], []];
  for (const [i, one] of wanted.entries()) {
    const [key, attributes] = [keys[i] as Key, insertion.attributesOf(one)];
    const statement = there.has(keyName(key)) || attributes === null ? null : insertOf(table, key, attributes);
    if (statement === null || (statement.Statement?.length ?? 0) > maxStatementLength) left.push(one);
    else insertable.push({ one, statement });
  }
  const refused = await Promise.all(
    chunksOf(insertable, statementsPerRequest).map(async (some) => {
      const Statements = some.map(({ statement }) => statement);
      const { Responses = [] } = await retryRefused(() =>
        table.client.send(new BatchExecuteStatementCommand({ Statements })),
      );
      return some.flatMap(({ one }, i) => (Responses[i]?.Error === undefined ? [] : [one]));
    }),
  );
  return [...left, ...refused.flat()];
}

function insertOf(table: Table, { pk, sk }: Key, attributes: Item): BatchStatementRequest {
  const item: Item = { pk: { S: pk }, sk: { S: sk }, ...attributes };
  const names = Object.keys(item).map((name) => `'${name}':?`);
  return { Statement: `INSERT INTO "${table.name}" VALUE {${names.join(',')}}`, Parameters: Object.values(item) };
}
