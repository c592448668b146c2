import { setTimeout as delay } from 'node:timers/promises';
import {
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Key } from './keys.ts';
import type { Meter, Table } from './table.ts';

type Expression = Omit<NonNullable<TransactWriteItem['Update']>, 'TableName' | 'Key'>;

/** An update as one part of a transaction. */
export const transactedUpdate = (table: Table, { pk, sk }: Key, expression: Expression): TransactWriteItem => ({
  Update: { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } }, ...expression },
});

const attempts = 10;
const pause = (attempt: number) => delay(Math.random() * Math.min(1_000, 20 * 2 ** attempt));

/** A single write that meets a transaction at its item is refused as a whole, and comes again a moment later. */
export async function besideTransactions<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt >= attempts) throw error;
      await pause(attempt);
    }
  }
}

/** All the writes, or none: false where a condition refused. Conflicts with other transactions are tried again. */
export async function transact(
  { table, meter }: { readonly table: Table; readonly meter?: Meter | undefined },
  items: TransactWriteItem[],
): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await table.client.send(
        new TransactWriteItemsCommand({ TransactItems: items, ReturnConsumedCapacity: 'TOTAL' }),
      );
      if (meter) {
        meter.requests++;
        for (const used of answer.ConsumedCapacity ?? []) meter.writeUnits += used.CapacityUnits ?? 0;
      }
      return true;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
      if (codes.includes('ConditionalCheckFailed')) return false;
      if (!codes.includes('TransactionConflict') || attempt >= attempts) throw error;
      await pause(attempt);
    }
  }
}
