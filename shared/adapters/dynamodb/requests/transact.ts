import { setTimeout as delay } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { Fault } from '../../../contract/problems.ts';
import type { Key } from '../keys/registry-keys.ts';
import type { Table } from './table.ts';

const errors = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);
const reasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);

/** Why each write of a transaction was refused; none of another error. */
const codesOf = (error: unknown): string[] =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []).map(({ Code = '' }) => Code) : [];

/** Whether the table refused only for its load, whole requests and transactions and what was left of batches alike. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) return codesOf(error).some((code) => reasons.has(code));
  if (error instanceof Fault) return error.code === 'store_throttled';
  return error instanceof Error && errors.has(error.name);
}

const maxAttempts = 8;
const [firstMs, maxMs] = [25, 1_000];

/** At random, up to a bound that doubles. */
const pauseMs = (attempt: number): number => Math.random() * Math.min(maxMs, firstMs * 2 ** attempt);

/** Waits where an attempt was throttled, however many were before it; false of any other error. */
export async function waitOut(error: unknown, attempt: number): Promise<boolean> {
  if (!isThrottled(error)) return false;
  await delay(pauseMs(attempt));
  return true;
}

/** Waits before an attempt that follows `attempt` others without progress. */
export async function backoff(attempt: number): Promise<void> {
  if (attempt === 0) return;
  if (attempt >= maxAttempts) throw new Fault('store_throttled', 'the table took no part of a batch, time and again');
  await delay(pauseMs(attempt));
}

type UpdateExpression = Omit<NonNullable<TransactWriteItem['Update']>, 'TableName' | 'Key'>;

export const transactedUpdate = (table: Table, { pk, sk }: Key, expression: UpdateExpression): TransactWriteItem => ({
  Update: { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } }, ...expression },
});

/** A write that meets a transaction at its item, or a table that is throttled, is refused as a whole: it comes again a moment later. */
export async function retryRefused<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isRefusedForNow(error) || attempt + 1 >= maxAttempts) throw error;
      await backoff(attempt + 1);
    }
  }
}

function isRefusedForNow(error: unknown): boolean {
  const codes = codesOf(error);
  if (codes.includes('ConditionalCheckFailed')) return false;
  return error instanceof TransactionConflictException || codes.includes('TransactionConflict') || isThrottled(error);
}

/** Sends a batch, then what it left unprocessed. A large one leaves items too: only attempts without progress count. */
export async function sendUntilProcessed<T>(
  requests: readonly T[],
  send: (some: T[]) => Promise<T[] | undefined>,
): Promise<void> {
  let left = [...requests];
  for (let attempt = 0; left.length > 0; attempt++) {
    // Throttled items come back unprocessed: sent again at once they would be throttled again.
    await backoff(attempt);
    const unprocessed = (await send(left)) ?? [];
    if (unprocessed.length < left.length) attempt = 0;
    left = unprocessed;
  }
}

type Attempted<T> =
  | { readonly answer: T; readonly refusal: null }
  | { readonly answer: null; readonly refusal: ConditionalCheckFailedException };

/** The answer to a write, or the refusal of its condition, with the item if the command returns it on failure. */
export const attempted = <T>(write: Promise<T>): Promise<Attempted<T>> =>
  write.then(
    (answer) => ({ answer, refusal: null }),
    (error: unknown) => {
      if (error instanceof ConditionalCheckFailedException) return { answer: null, refusal: error };
      throw error;
    },
  );

/** All the writes, or none: false if a condition refused. What met another transaction, or was throttled, is tried again. */
export const transact = async (table: Table, items: TransactWriteItem[]): Promise<boolean> =>
  (await firstRefused(table, items)) === null;

/** The same; answers the position of the first write whose condition refused, null where all was written. */
export async function firstRefused(table: Table, items: TransactWriteItem[]): Promise<number | null> {
  try {
    await retryRefused(() => table.client.send(new TransactWriteItemsCommand({ TransactItems: items })));
    return null;
  } catch (error) {
    const refused = codesOf(error).indexOf('ConditionalCheckFailed');
    if (refused < 0) throw error;
    return refused;
  }
}
