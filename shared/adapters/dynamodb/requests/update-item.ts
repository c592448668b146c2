import { randomUUID } from 'node:crypto';
import { type AttributeValue, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Key } from '../keys/registry-keys.ts';
import type { Item } from './items.ts';
import type { Table } from './table.ts';
import { attempted, retryRefused } from './transact.ts';

/** An empty page is deleted only if its `w` is as read. Part of a UUID: Node draws the randomness of many at once. */
export const writeStamp = (): AttributeValue => ({ S: randomUUID().slice(-12) });

export type UpdateExpression = Omit<UpdateItemCommandInput, 'TableName' | 'Key'> & {
  readonly UpdateExpression: string;
};
type Updated = { readonly refused: Item | null; readonly units: number; readonly item: Item | null };

/** One update of an item; a refused condition is an answer, with the item that refused it (empty if there is none). */
export async function updateItem(table: Table, key: Key, expression: UpdateExpression): Promise<Updated> {
  const command = new UpdateItemCommand({
    TableName: table.name,
    Key: { pk: { S: key.pk }, sk: { S: key.sk } },
    ReturnConsumedCapacity: 'TOTAL',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ...expression,
  });
  const { answer, refusal } = await attempted(retryRefused(() => table.client.send(command)));
  if (refusal) return { refused: refusal.Item ?? {}, units: 1, item: null };
  const units = answer.ConsumedCapacity?.CapacityUnits ?? 0;
  return { refused: null, units, item: answer.Attributes ?? null };
}

/** What an attribute must be: absent, or present and in this order to the value; `orMissing`: or absent. */
export type Requirement =
  | { readonly name: string; readonly is: 'missing' }
  | {
      readonly name: string;
      readonly is: '=' | '<' | '<=' | '>';
      readonly value: AttributeValue;
      readonly orMissing?: true;
    };

/** What to write, and what must hold. The batch (`batchedChanges`) ignores `setIfMissing` and `orMissing`. */
export type Change = {
  readonly set: Item;
  readonly setIfMissing?: Item;
  readonly remove?: readonly string[];
  readonly where: readonly Requirement[];
};

/** Of an item that is changed singly also: that an attribute is present, one of some values, or absent or a small set. */
type Condition =
  | Requirement
  | { readonly name: string; readonly is: 'present' }
  | { readonly name: string; readonly is: 'in'; readonly values: readonly AttributeValue[] }
  | { readonly name: string; readonly is: 'smaller'; readonly than: number };

/** `add`: numbers to count up by, and what to put into sets; `take`: what to take out of sets. */
export type SingleChange = Partial<Omit<Change, 'where'>> & {
  readonly add?: Item;
  /** Attributes set to what a counter is once it is one higher. */
  readonly setToNext?: Readonly<Record<string, string>>;
  readonly take?: Item;
  readonly where?: readonly Condition[];
};

/** What would be made where an item has gone is none. */
export const exists = { name: 'pk', is: 'present' } as const;

export const equal = (name: string, value: AttributeValue | undefined): Requirement =>
  value ? { name, is: '=', value } : { name, is: 'missing' };

/** The expression of a change; equal texts and numbers take one placeholder. */
export function changing(change: SingleChange): UpdateExpression {
  const { set = {}, setIfMissing = {}, setToNext = {}, add = {}, take = {}, remove = [], where = [] } = change;
  const [names, values] = [placeholders<string>('#'), placeholders<AttributeValue>(':')];
  const at = (name: string) => names.of(name, name);
  const to = (value: AttributeValue) => values.of(value.S ? `S${value.S}` : value.N ? `N${value.N}` : value, value);
  const sets = [
    ...Object.entries(set).map(([name, value]) => `${at(name)} = ${to(value)}`),
    ...Object.entries(setIfMissing).map(([name, value]) => `${at(name)} = if_not_exists(${at(name)}, ${to(value)})`),
    ...Object.entries(setToNext).map(
      ([name, counter]) => `${at(name)} = if_not_exists(${at(counter)}, ${to({ N: '0' })}) + ${to({ N: '1' })}`,
    ),
  ];
  const pairs = (item: Item) => Object.entries(item).map(([name, value]) => `${at(name)} ${to(value)}`);
  const conditions = where.map((one) => {
    const name = at(one.name);
    const orMissing = (condition: string) => `(attribute_not_exists(${name}) OR ${condition})`;
    if (one.is === 'missing') return `attribute_not_exists(${name})`;
    if (one.is === 'present') return `attribute_exists(${name})`;
    if (one.is === 'in') return `${name} IN (${one.values.map(to).join(', ')})`;
    if (one.is === 'smaller') return orMissing(`size(${name}) < ${to({ N: String(one.than) })}`);
    const comparison = `${name} ${one.is} ${to(one.value)}`;
    return one.orMissing ? orMissing(comparison) : comparison;
  });
  const clauses = Object.entries({ SET: sets, REMOVE: remove.map(at), ADD: pairs(add), DELETE: pairs(take) });
  const used = clauses.filter(([, parts]) => parts.length > 0);
  return {
    UpdateExpression: used.map(([clause, parts]) => `${clause} ${parts.join(', ')}`).join(' '),
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: names.all,
    ...(Object.keys(values.all).length > 0 && { ExpressionAttributeValues: values.all }),
  };
}

function placeholders<T>(mark: '#' | ':') {
  const [known, all]: [Map<unknown, string>, Record<string, T>] = [new Map(), {}];
  const of = (key: unknown, one: T): string => {
    const placeholder = known.get(key) ?? `${mark}${known.size}`;
    known.set(key, placeholder);
    all[placeholder] = one;
    return placeholder;
  };
  return { of, all };
}
