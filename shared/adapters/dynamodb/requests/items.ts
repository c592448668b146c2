import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { Key } from '../keys/registry-keys.ts';
import { attributes, batchGet, type Item } from './batch-get.ts';
import type { Table } from './table.ts';

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

export const ifAbsent: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

export const keyAttributes = ({ pk, sk }: Key): Record<'pk' | 'sk', AttributeValue> => ({
  pk: { S: pk },
  sk: { S: sk },
});

/** The item at a key, read consistently. */
export async function getItem(table: Table, key: Key): Promise<Item | null> {
  const [item] = await batchGet(table, [key], { consistent: true });
  return item ?? null;
}

export async function getRecord<R>(table: Table, schema: v.GenericSchema<unknown, R>, key: Key): Promise<R | null> {
  const item = await getItem(table, key);
  return item && v.parse(schema, unmarshall(item));
}

/** Puts an item. Returns the item that refused the condition (empty if there is none), or null if it was put. */
export async function putItem(table: Table, item: Item, condition?: Condition): Promise<Item | null> {
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: item,
        ...(condition && { ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      }),
    );
    return null;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error.Item ?? {};
    throw error;
  }
}

export const deleteItem = async (table: Table, key: AnyKey, condition: Condition = {}): Promise<boolean> =>
  (await deleted(table, key, condition)) !== null;

/** Deletes an item and returns it; null if there was none, or the condition was refused. */
export const takeItem = async (table: Table, key: AnyKey, condition: Condition = {}): Promise<Item | null> =>
  (await deleted(table, key, { ...condition, ReturnValues: 'ALL_OLD' }))?.Attributes ?? null;

/** Tables without sort keys have only `pk`. */
type AnyKey = Readonly<Record<string, string>>;

async function deleted({ client, name }: Table, key: AnyKey, options: Partial<DeleteItemCommandInput>) {
  try {
    return await client.send(new DeleteItemCommand({ TableName: name, Key: attributes(key), ...options }));
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}
