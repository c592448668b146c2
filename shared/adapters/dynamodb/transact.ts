import {
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { backoff, maxAttempts } from './backoff.ts';
import type { Key } from './keys/key.ts';
import type { Table } from './table.ts';

type UpdateExpression = Omit<NonNullable<TransactWriteItem['Update']>, 'TableName' | 'Key'>;

/** An update as one part of a transaction. */
export const transactedUpdate = (table: Table, { pk, sk }: Key, expression: UpdateExpression): TransactWriteItem => ({
  Update: { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } }, ...expression },
});

/** A single write that meets a transaction at its item is refused as a whole, and comes again a moment later. */
export async function retryOnTransactionConflict<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt + 1 >= maxAttempts) throw error;
      await backoff(attempt + 1);
    }
  }
}

/** All the writes, or none: false where a condition refused. Conflicts with other transactions are tried again. */
export async function transact(table: Table, items: TransactWriteItem[]): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      await table.client.send(new TransactWriteItemsCommand({ TransactItems: items }));
      return true;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
      if (codes.includes('ConditionalCheckFailed')) return false;
      if (!codes.includes('TransactionConflict') || attempt + 1 >= maxAttempts) throw error;
      await backoff(attempt + 1);
    }
  }
}
