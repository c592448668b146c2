import {
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { backoff, maxAttempts } from './backoff.ts';
import type { Key } from './keys/key.ts';
import type { Table } from './table.ts';
import { isThrottled } from './throttling.ts';

type UpdateExpression = Omit<NonNullable<TransactWriteItem['Update']>, 'TableName' | 'Key'>;

/** An update as one part of a transaction. */
export const transactedUpdate = (table: Table, { pk, sk }: Key, expression: UpdateExpression): TransactWriteItem => ({
  Update: { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } }, ...expression },
});

/** A write that meets a transaction at its item, or a table that is throttled, is refused as a whole: it comes again a moment later. */
export async function retryRefused<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const isRefused = error instanceof TransactionConflictException || isThrottled(error);
      if (!isRefused || attempt + 1 >= maxAttempts) throw error;
      await backoff(attempt + 1);
    }
  }
}

/** All the writes, or none: false where a condition refused. What met another transaction, or was throttled, is tried again. */
export const transact = async (table: Table, items: TransactWriteItem[]): Promise<boolean> =>
  (await firstRefused(table, items)) === null;

/** The same; answers the position of the first write whose condition refused, null where all was written. */
export async function firstRefused(table: Table, items: TransactWriteItem[]): Promise<number | null> {
  for (let attempt = 0; ; attempt++) {
    try {
      await table.client.send(new TransactWriteItemsCommand({ TransactItems: items }));
      return null;
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      const codes = reasons.map(({ Code }) => Code);
      if (codes.includes('ConditionalCheckFailed')) return codes.indexOf('ConditionalCheckFailed');
      const isRefused = codes.includes('TransactionConflict') || isThrottled(error);
      if (!isRefused || attempt + 1 >= maxAttempts) throw error;
      await backoff(attempt + 1);
    }
  }
}
