import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Span } from '../../../../domain/lineage/graph/claim-writer.ts';
import type { Key } from '../../keys/registry-keys.ts';
import type { Table } from '../../requests/table.ts';
import { type UpdateExpression, updateItem, writeStamp } from '../../requests/update-item.ts';

/** The registers of one observed (edge, scope) on a page as they were read, and what is to remain of them. */
export type RegisterChange = {
  readonly names: { readonly first: string; readonly last: string };
  /** A null first time may have changed. */
  readonly read: { readonly first: AttributeValue | null; readonly last: AttributeValue };
  /** Null: nothing. */
  readonly remaining: Span | null;
};

/** An expression holds 4 KB and 300 operators. */
const changesPerUpdate = 20;

/**
 * Changes registers of one page that are as they were read, many in one update; answers those that have moved since.
 *
 * @param obsolete further attributes, which are removed with whatever is changed
 */
export async function changeRegisters<C extends RegisterChange>(
  table: Table,
  key: Key,
  changes: readonly C[],
  obsolete: (changed: readonly C[]) => readonly string[] = () => [],
): Promise<C[]> {
  const moved: C[] = [];
  for (let i = 0; i < changes.length; i += changesPerUpdate)
    moved.push(...(await changeTogether(table, key, changes.slice(i, i + changesPerUpdate), obsolete)));
  return moved;
}

async function changeTogether<C extends RegisterChange>(
  table: Table,
  key: Key,
  changes: readonly C[],
  obsolete: (changed: readonly C[]) => readonly string[],
): Promise<C[]> {
  const { refused } = await updateItem(table, key, changing(changes, obsolete(changes)));
  if (refused === null) return [];
  if (changes.length === 1) return [...changes];
  // Some have moved: they are found by halves.
  const middle = Math.ceil(changes.length / 2);
  return [
    ...(await changeTogether(table, key, changes.slice(0, middle), obsolete)),
    ...(await changeTogether(table, key, changes.slice(middle), obsolete)),
  ];
}

function changing(changes: readonly RegisterChange[], obsolete: readonly string[]): UpdateExpression {
  const names: Record<string, string> = Object.fromEntries(obsolete.map((name, i) => [`#k${i}`, name]));
  const values: Record<string, AttributeValue> = { ':w': writeStamp() };
  const sets = ['w = :w'];
  const removals = Object.keys(names);
  const conditions: string[] = [];
  for (const [i, { names: own, read, remaining }] of changes.entries()) {
    const [f, l] = [`#f${i}`, `#l${i}`];
    names[f] = own.first;
    names[l] = own.last;
    values[`:l${i}`] = read.last;
    conditions.push(`${l} = :l${i}`);
    if (read.first !== null) {
      values[`:f${i}`] = read.first;
      conditions.push(`${f} = :f${i}`);
    }
    if (remaining === null) removals.push(f, l);
    else {
      values[`:newF${i}`] = { N: BigInt(remaining.first).toString() };
      values[`:newL${i}`] = { N: BigInt(remaining.last).toString() };
      sets.push(`${f} = :newF${i}`, `${l} = :newL${i}`);
    }
  }
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
