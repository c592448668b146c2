import { randomBytes } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './batch-get.ts';
import type { Key } from './keys.ts';
import type { Meter, Table } from './table.ts';
import { besideTransactions } from './transact.ts';

/** A fresh value of the attribute `w`: who deletes an empty page does so only if it is the one that was read. */
export const written = (): AttributeValue => ({ S: randomBytes(8).toString('base64url') });

export type Expression = Omit<UpdateItemCommandInput, 'TableName' | 'Key'>;
export type Updated = { readonly refused: Item | null; readonly units: number; readonly item: Item | null };

/** One update of an item; a refused condition is an answer, with the item that refused it (empty where there is none). */
export async function updateItem(
  { table, meter }: { readonly table: Table; readonly meter?: Meter | undefined },
  key: Key,
  expression: Expression,
): Promise<Updated> {
  try {
    const command = new UpdateItemCommand({
      TableName: table.name,
      Key: { pk: { S: key.pk }, sk: { S: key.sk } },
      ReturnConsumedCapacity: 'TOTAL',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...expression,
    });
    const answer = await besideTransactions(() => table.client.send(command));
    const units = answer.ConsumedCapacity?.CapacityUnits ?? 0;
    count(meter, units);
    return { refused: null, units, item: answer.Attributes ?? null };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    count(meter, 1);
    return { refused: error.Item ?? {}, units: 1, item: null };
  }
}

function count(meter: Meter | undefined, units: number): void {
  if (!meter) return;
  meter.requests++;
  meter.writeUnits += units;
}
