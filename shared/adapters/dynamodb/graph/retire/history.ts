import type { PageSide } from '../../../../domain/graph/claim.ts';
import type { ClaimWriter } from '../../../../domain/graph/claim-writer.ts';
import type { NodeId } from '../../../../domain/graph/ids.ts';
import type { Order } from '../../../../domain/graph/order.ts';
import type { ClaimPlace } from '../../../../domain/graph/removals.ts';
import type { Item } from '../../batch-get.ts';
import { type Key, keyName } from '../../keys/key.ts';
import type { Table } from '../../table.ts';
import { type UpdateExpression, updateItem, writeStamp } from '../../update-item.ts';
import { attribute, claimElement, elementOf } from '../codec/codec.ts';
import { readItems } from './read-items.ts';

/** A retired order, with what is known of how its claims began and ended. */
export type Retired = Parameters<ClaimWriter['prune']>[1];

/** Claims that were live from one order to another, and the attribute of those that ended right before the first. */
export type Run = {
  readonly first: Order;
  readonly last: Order;
  readonly name: string;
  readonly before: { readonly name: string; readonly order: Order } | null;
  readonly others: readonly NodeId[];
};

/** The attribute that holds what an order claims on a side, of an item of either kind. */
export const claimsAttribute = ({ kind, scope }: Retired, side: PageSide, order: Order): string =>
  attribute.claims(side, kind, scope, order);

/** What a retired order claims at a place, by the last order under which it was live. */
export function runsOf(retired: Retired, place: ClaimPlace, claimed: readonly NodeId[]): Run[] {
  const { order: first, continuesOrder: order } = retired;
  const before = order === null ? null : { name: claimsAttribute(retired, place.side, order), order };
  const byLast = Map.groupBy(claimed, (other) => retired.lastOrder(place, other));
  return [...byLast].map(([last, others]) => {
    return { first, last, name: claimsAttribute(retired, place.side, last), before, others };
  });
}

/** What a page of history holds at first: nothing that the claims continue. */
export const firstHistory = (runs: readonly Run[]): Item => ({
  [attribute.written]: writeStamp(),
  ...Object.fromEntries(
    runs.map(({ first, last, name, others }) => {
      const since = first === last ? null : first;
      return [name, { SS: others.map((other) => claimElement(other, since)) }];
    }),
  ),
});

/** A snapshot repeats nearly all of the one before: stored as runs, history grows with what changed and not with every load. */
export async function addToHistory(
  table: Table,
  { key, item }: { readonly key: Key; readonly item: Item },
  runs: readonly Run[],
): Promise<void> {
  const fresh = runs.map((run) => ({ ...run, others: unknownOf(item, run) })).filter(({ others }) => others.length > 0);
  if (fresh.length === 0) return;
  const { refused } = await updateItem(table, key, addition(item, fresh));
  // Refused: another order came to the same page since it was read.
  if (refused === null) return;
  const again = await readItems(table, [key]);
  await addToHistory(table, { key, item: again.get(keyName(key)) ?? {} }, fresh);
}

/** Those of a run that history does not have. */
function unknownOf(item: Item, { name, first, last, others }: Run): NodeId[] {
  const known = new Set(elements(item, name).flatMap(({ other, since = last }) => (since <= first ? other : [])));
  return others.filter((other) => !known.has(other));
}

/** Adds runs, each in place of what it continues. */
function addition(item: Item, runs: readonly Run[]): UpdateExpression {
  const read = item[attribute.written];
  const [added, ended] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const run of runs) {
    const { name, before } = run;
    const continued = before ? continuedBy(item, run, before.name) : [];
    const starts = new Map(continued.map(({ other, since = before?.order ?? run.first }) => [other, since]));
    const elements = run.others.map((other) => {
      const since = starts.get(other) ?? run.first;
      return claimElement(other, since === run.last ? null : since);
    });
    added.set(name, elements);
    const past = continued.map(({ other, since = null }) => claimElement(other, since));
    // Several runs may continue what ended at one order; an expression names an attribute once.
    if (before && past.length > 0) ended.set(before.name, [...(ended.get(before.name) ?? []), ...past]);
  }
  return changing(read, added, ended);
}

const continuedBy = (item: Item, { others }: Run, name: string) => {
  const fresh = new Set(others);
  return elements(item, name).filter(({ other }) => fresh.has(other));
};

type Sets = ReadonlyMap<string, readonly string[]>;

/** Adds to sets and takes from others, if nobody wrote to the item since it was read. */
function changing(read: Item[string] | undefined, added: Sets, ended: Sets): UpdateExpression {
  const sets = [...added, ...ended];
  const paths = sets.map((_, i) => `#s${i} :s${i}`);
  const removal = ended.size > 0 ? ` DELETE ${paths.slice(added.size).join(', ')}` : '';
  return {
    UpdateExpression: `SET w = :w ADD ${paths.slice(0, added.size).join(', ')}${removal}`,
    ConditionExpression: read ? 'w = :read' : 'attribute_not_exists(w)',
    ExpressionAttributeNames: Object.fromEntries(sets.map(([name], i) => [`#s${i}`, name])),
    ExpressionAttributeValues: {
      ':w': writeStamp(),
      ...Object.fromEntries(sets.map(([, elements], i) => [`:s${i}`, { SS: [...elements] }])),
      ...(read && { ':read': read }),
    },
  };
}

const elements = (item: Item, name: string) => (item[name]?.SS ?? []).map(elementOf);
