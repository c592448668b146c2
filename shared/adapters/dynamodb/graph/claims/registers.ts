import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../../../domain/base/collections.ts';
import type { ObservedClaim, PageSide } from '../../../../domain/lineage/graph/claim.ts';
import type { Span } from '../../../../domain/lineage/graph/order.ts';
import type { Key } from '../../keys/registry-keys.ts';
import type { Item } from '../../requests/items.ts';
import type { Table } from '../../requests/table.ts';
import { type Change, changing, type Requirement, updateItem, writeStamp } from '../../requests/update-item.ts';
import { attribute, timeValue } from '../codec.ts';

/** The registers of one observed (edge, scope) on a page as they were read, and what is to remain of them. */
export type RegisterChange = {
  readonly names: { readonly first: string; readonly last: string };
  /** A null first time may have changed. */
  readonly read: { readonly first: AttributeValue | null; readonly last: AttributeValue };
  /** Null: nothing. */
  readonly remaining: Span | null;
  /** Another attribute that goes with it. */
  readonly obsolete?: string;
};

/** Removes an observation, unless it was made again. */
export const removalOf = (side: PageSide, { other, scope, last }: ObservedClaim) => ({
  names: attribute.registers(side, other, scope),
  read: { first: null, last: timeValue(last) },
  remaining: null,
});

/** An expression holds 4 KB and 300 operators. */
const changesPerUpdate = 20;

/** Answers the changes whose registers have moved since they were read. */
export async function changeRegisters<C extends RegisterChange>(
  table: Table,
  key: Key,
  changes: readonly C[],
): Promise<C[]> {
  const moved: C[] = [];
  for (const some of chunksOf(changes, changesPerUpdate)) moved.push(...(await changeAtOnce(table, key, some)));
  return moved;
}

async function changeAtOnce<C extends RegisterChange>(table: Table, key: Key, changes: readonly C[]): Promise<C[]> {
  const { refused } = await updateItem(table, key, changing(changeOf(changes)));
  if (refused === null) return [];
  if (changes.length === 1) return [...changes];
  // Some have moved: they are found by halves.
  const halves = chunksOf(changes, Math.ceil(changes.length / 2));
  const moved: C[] = [];
  for (const half of halves) moved.push(...(await changeAtOnce(table, key, half)));
  return moved;
}

function changeOf(changes: readonly RegisterChange[]): Change {
  const obsolete = new Set(changes.flatMap((one) => one.obsolete ?? []));
  const [set, remove, where]: [Item, string[], Requirement[]] = [{ w: writeStamp() }, [...obsolete], []];
  for (const { names, read, remaining } of changes) {
    where.push({ name: names.last, is: '=', value: read.last });
    if (read.first !== null) where.push({ name: names.first, is: '=', value: read.first });
    if (remaining === null) remove.push(names.first, names.last);
    else {
      set[names.first] = timeValue(remaining.first);
      set[names.last] = timeValue(remaining.last);
    }
  }
  return { set, remove, where };
}
