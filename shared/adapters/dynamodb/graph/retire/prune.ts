import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { NodeId } from '../../../../domain/graph/ids.ts';
import type { Order } from '../../../../domain/graph/order.ts';
import type { ClaimWriter } from '../../../../domain/graph/ports.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import { type Key, keyName, keyOf } from '../../keys/key.ts';
import type { Table } from '../../table.ts';
import { type UpdateExpression, updateItem, writeStamp } from '../../update-item.ts';
import { pageSides, pagesOfRetired, type RetiredPage } from '../claims/claim-pages.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { attribute, claimElement, elementOf } from '../codec/codec.ts';

type Retired = Parameters<ClaimWriter['prune']>[1];

/** A retired order's attribute, and that of the order before it: equal words of both become one run. */
type Names = { readonly own: string; readonly before: { readonly name: string; readonly order: Order } | null };

const pagesPerRead = 100;
const pagesInFlight = 16;

/**
 * Moves the claims of one retired order to the pages of history: first written there, then exactly those that were read
 * are removed. A page that nothing is left of stays, because history is found beside it.
 */
export async function prunePages(writer: GraphWriter, retired: Retired): Promise<void> {
  const { continuesOrder } = retired;
  for (const side of pageSides) {
    const nameOf = (order: Order) => attribute.claims(side, retired.kind, retired.scope, order);
    const names: Names = {
      own: nameOf(retired.order),
      before: continuesOrder === null ? null : { name: nameOf(continuesOrder), order: continuesOrder },
    };
    const pages = await pagesOfRetired(writer, side, retired);
    while (pages.length > 0) await prunePagesOfOneRead(writer.table, pages.splice(0, pagesPerRead), names);
  }
}

async function prunePagesOfOneRead(table: Table, pages: readonly RetiredPage[], names: Names): Promise<void> {
  const current = await readItems(
    table,
    pages.map((page) => page.current),
    [names.own],
  );
  const claiming = pages.filter((page) => current.get(keyName(page.current))?.[names.own]?.SS);
  const history = await readHistory(
    table,
    claiming.map((page) => page.history),
    names,
  );
  await inParallel(pagesInFlight, claiming, async (page) => {
    const claims = current.get(keyName(page.current))?.[names.own] ?? { SS: [] };
    const item = history.get(keyName(page.history)) ?? {};
    await addToHistory(table, { key: page.history, item }, names, (claims.SS ?? []) as NodeId[]);
    await updateItem(table, page.current, {
      UpdateExpression: 'SET w = :w DELETE #n :set',
      ConditionExpression: 'attribute_exists(#n)',
      ExpressionAttributeNames: { '#n': names.own },
      ExpressionAttributeValues: { ':set': claims, ':w': writeStamp() },
    });
  });
}

/** A snapshot repeats nearly all of the one before: kept as runs, history grows with what changed and not with every load. */
async function addToHistory(
  table: Table,
  { key, item }: { readonly key: Key; readonly item: Item },
  names: Names,
  others: readonly NodeId[],
): Promise<void> {
  const known = new Set(elements(item, names.own).map(({ other }) => other));
  const fresh = new Set(others.filter((other) => !known.has(other)));
  if (fresh.size === 0) return;
  const { refused } = await updateItem(table, key, addition(item, names, fresh));
  // Refused: another order came to the same page since it was read.
  if (refused === null) return;
  const again = await readHistory(table, [key], names);
  await addToHistory(table, { key, item: again.get(keyName(key)) ?? {} }, names, others);
}

function addition(item: Item, { own, before }: Names, fresh: ReadonlySet<NodeId>): UpdateExpression {
  const read = item[attribute.written];
  const continued = before ? elements(item, before.name).filter(({ other }) => fresh.has(other)) : [];
  const runs = new Map(continued.map(({ other, since = before?.order ?? null }) => [other, since]));
  const added = [...fresh].map((other) => claimElement(other, runs.get(other) ?? null));
  const ended = continued.map(({ other, since = null }) => claimElement(other, since));
  const ending = before !== null && ended.length > 0 ? before : null;
  return {
    UpdateExpression: `SET w = :w ADD #own :added${ending ? ' DELETE #before :ended' : ''}`,
    ConditionExpression: read ? 'w = :read' : 'attribute_not_exists(w)',
    ExpressionAttributeNames: { '#own': own, ...(ending && { '#before': ending.name }) },
    ExpressionAttributeValues: {
      ':w': writeStamp(),
      ':added': { SS: added },
      ...(ending && { ':ended': { SS: ended } }),
      ...(read && { ':read': read }),
    },
  };
}

const readHistory = (table: Table, keys: readonly Key[], { own, before }: Names) =>
  readItems(table, keys, before ? [own, before.name] : [own]);

async function readItems(
  table: Table,
  keys: readonly Key[],
  attributes: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const names = ['pk', 'sk', attribute.written, ...attributes];
  const items = await batchGet(table, keys, { consistent: true, attributes: names });
  return new Map(items.map((item) => [keyName(keyOf(item)), item]));
}

const elements = (item: Item, name: string) => (item[name]?.SS ?? []).map(elementOf);
