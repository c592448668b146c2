import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './batch-get.ts';
import type { Key } from './keys/key.ts';
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
