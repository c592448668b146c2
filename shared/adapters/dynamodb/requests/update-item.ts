import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Key } from '../keys/registry-keys.ts';
import type { Item } from './batch-get.ts';
import { type BatchedWrite, executeBatched } from './batch-statements.ts';
import type { Table } from './table.ts';
import { retryRefused } from './transact.ts';

/**
 * A fresh value of the attribute `w`: who deletes an empty page does so only if it is the one that was read. The last 48
 * bits of a UUID, of which Node draws many at once: bytes would cost a call of the system for each write.
 */
export const writeStamp = (): AttributeValue => ({ S: randomUUID().slice(-12) });

export type UpdateExpression = Omit<UpdateItemCommandInput, 'TableName' | 'Key'>;
type Updated = { readonly refused: Item | null; readonly units: number; readonly item: Item | null };

/** One update of an item; a refused condition is an answer, with the item that refused it (empty where there is none). */
export async function updateItem(table: Table, key: Key, expression: UpdateExpression): Promise<Updated> {
  try {
    const command = new UpdateItemCommand({
      TableName: table.name,
      Key: { pk: { S: key.pk }, sk: { S: key.sk } },
      ReturnConsumedCapacity: 'TOTAL',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...expression,
    });
    const answer = await retryRefused(() => table.client.send(command));
    const units = answer.ConsumedCapacity?.CapacityUnits ?? 0;
    return { refused: null, units, item: answer.Attributes ?? null };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { refused: error.Item ?? {}, units: 1, item: null };
  }
}

/** Whether a transaction was refused by a condition, or by another transaction at the same items. */
export function isConditionFailure(error: unknown): boolean {
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
  return reasons.some(({ Code }) => Code === 'ConditionalCheckFailed' || Code === 'TransactionConflict');
}

/** An item as it was read, and what is to go: these attributes, or all of it. */
export type Reduction<T> = { readonly one: T; readonly read: Item; readonly remove: readonly string[] | 'item' };

/**
 * Deletes items, or removes attributes from them, by the batch (ADR 13), each if nobody wrote to it since it was read (`w`
 * is another at each write). Answers for whom nothing is known to be done. An item that is gone needs nothing.
 */
export async function reduceUnchanged<T>(table: Table, reductions: readonly Reduction<T>[]): Promise<T[]> {
  const writes = reductions.flatMap(({ one, read, remove }) => {
    const statement = reductionOf(table, read, remove);
    return statement ? [{ one, statement }] : [];
  });
  const sent = new Set(writes.map(({ one }) => one));
  const others = reductions.flatMap(({ one }) => (sent.has(one) ? [] : [one]));
  return [...others, ...(await executeBatched(table, writes))];
}

const unchanged = 'WHERE "pk"=? AND "sk"=? AND "w"=?';

/** Null of several attributes: DynamoDB repeats the word REMOVE, and emulators do not all read that. */
function reductionOf(
  { name }: Table,
  { pk, sk, w }: Item,
  remove: Reduction<never>['remove'],
): BatchedWrite<never>['statement'] | null {
  if (!pk || !sk || !w) return null;
  if (remove === 'item') return { Statement: `DELETE FROM "${name}" ${unchanged}`, Parameters: [pk, sk, w] };
  if (remove.length !== 1) return null;
  const Statement = `UPDATE "${name}" SET "w"=? REMOVE "${remove[0]}" ${unchanged}`;
  return { Statement, Parameters: [writeStamp(), pk, sk, w] };
}
