import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { PageSide } from '../../../../domain/graph/claim.ts';
import type { ClaimWriter } from '../../../../domain/graph/claim-writer.ts';
import type { NodeId } from '../../../../domain/graph/ids.ts';
import type { Order } from '../../../../domain/graph/order.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import { insertEach } from '../../insert-missing.ts';
import { type Key, keyName, keyOf } from '../../keys/key.ts';
import { reduceUnchanged } from '../../reduce-unchanged.ts';
import type { Table } from '../../table.ts';
import { type UpdateExpression, updateItem, writeStamp } from '../../update-item.ts';
import { pageSides, pagesOfRetired, type RetiredPage } from '../claims/claim-pages.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { attribute, claimElement, elementOf, nodeIdOf } from '../codec/codec.ts';

type Retired = Parameters<ClaimWriter['prune']>[1];

/** Attributes of one side: a retired order's, that of the last order of a claim, and that of the order before. */
type Names = {
  readonly side: PageSide;
  readonly retired: Retired;
  readonly nameOf: (order: Order) => string;
};

const pagesPerRead = 100;
const pagesInFlight = 16;

/**
 * Moves the claims of one retired order to the pages of history: first written there, then exactly those that were read
 * are removed. A page that nothing is left of stays, because history is found by it.
 */
export async function prunePages(writer: GraphWriter, retired: Retired): Promise<void> {
  for (const side of pageSides) {
    const nameOf = (order: Order) => attribute.claims(side, retired.kind, retired.scope, order);
    const pages = await pagesOfRetired(writer, side, retired);
    while (pages.length > 0)
      await prunePagesOfOneRead(writer.table, pages.splice(0, pagesPerRead), { side, retired, nameOf });
  }
}

async function prunePagesOfOneRead(table: Table, pages: readonly RetiredPage[], names: Names): Promise<void> {
  const own = names.nameOf(names.retired.order);
  const current = await readItems(
    table,
    pages.map((page) => page.current),
    [own],
  );
  const claiming = pages.filter((page) => current.get(keyName(page.current))?.[own]?.SS);
  const history = await readItems(
    table,
    claiming.map((page) => page.history),
  );
  const found = claiming.map((page) => {
    const [item = {}, past] = [current.get(keyName(page.current)), history.get(keyName(page.history))];
    const claims = (item[own]?.SS ?? []) as NodeId[];
    const place = { node: nodeIdOf(item), side: names.side };
    return { page, item, past, lasts: Map.groupBy(claims, (other) => names.retired.lastOrder(place, other)) };
  });
  const refused = await insertEach(table, found, {
    keyOf: ({ page }) => page.history,
    attributesOf: ({ past, lasts }) => (past ? null : firstHistory(names, lasts)),
  });
  await inParallel(pagesInFlight, refused, async ({ page, past = {}, lasts }) => {
    for (const [last, others] of lasts)
      await addToHistory(table, { key: page.history, item: past }, runOf(names, last), others);
  });
  const left = await reduceUnchanged(
    table,
    found.map((one) => ({ one, read: one.item, remove: [own] })),
  );
  await inParallel(pagesInFlight, left, async ({ page, item }) => {
    await updateItem(table, page.current, {
      UpdateExpression: 'SET w = :w DELETE #n :set',
      ConditionExpression: 'attribute_exists(#n)',
      ExpressionAttributeNames: { '#n': own },
      ExpressionAttributeValues: { ':set': item[own] ?? { SS: [] }, ':w': writeStamp() },
    });
  });
}

/** What a page of history holds at first: nothing that the claims continue. */
const firstHistory = ({ nameOf, retired: { order } }: Names, lasts: ReadonlyMap<Order, readonly NodeId[]>): Item => ({
  [attribute.written]: writeStamp(),
  ...Object.fromEntries(
    [...lasts].map(([last, others]) => {
      const since = order === last ? null : order;
      return [nameOf(last), { SS: others.map((other) => claimElement(other, since)) }];
    }),
  ),
});

/** Claims that were live from one order to another, and the attribute of those that ended right before the first. */
type Run = {
  readonly first: Order;
  readonly last: Order;
  readonly name: string;
  readonly before: { readonly name: string; readonly order: Order } | null;
};

function runOf({ retired: { order, continuesOrder }, nameOf }: Names, last: Order): Run {
  const before = continuesOrder === null ? null : { name: nameOf(continuesOrder), order: continuesOrder };
  return { first: order, last, name: nameOf(last), before };
}

/** A snapshot repeats nearly all of the one before: stored as runs, history grows with what changed and not with every load. */
async function addToHistory(
  table: Table,
  { key, item }: { readonly key: Key; readonly item: Item },
  run: Run,
  others: readonly NodeId[],
): Promise<void> {
  const known = new Set(
    elements(item, run.name).flatMap(({ other, since = run.last }) => (since <= run.first ? other : [])),
  );
  const fresh = new Set(others.filter((other) => !known.has(other)));
  if (fresh.size === 0) return;
  const { refused } = await updateItem(table, key, addition(item, run, fresh));
  // Refused: another order came to the same page since it was read.
  if (refused === null) return;
  const again = await readItems(table, [key]);
  await addToHistory(table, { key, item: again.get(keyName(key)) ?? {} }, run, others);
}

function addition(item: Item, { first, last, name, before }: Run, fresh: ReadonlySet<NodeId>): UpdateExpression {
  const read = item[attribute.written];
  const continued = before ? elements(item, before.name).filter(({ other }) => fresh.has(other)) : [];
  const runs = new Map(continued.map(({ other, since = before?.order ?? first }) => [other, since]));
  const sinceOf = (other: NodeId): Order => runs.get(other) ?? first;
  const added = [...fresh].map((other) => claimElement(other, sinceOf(other) === last ? null : sinceOf(other)));
  const ended = continued.map(({ other, since = null }) => claimElement(other, since));
  const ending = before !== null && ended.length > 0 ? before : null;
  return {
    UpdateExpression: `SET w = :w ADD #own :added${ending ? ' DELETE #before :ended' : ''}`,
    ConditionExpression: read ? 'w = :read' : 'attribute_not_exists(w)',
    ExpressionAttributeNames: { '#own': name, ...(ending && { '#before': ending.name }) },
    ExpressionAttributeValues: {
      ':w': writeStamp(),
      ':added': { SS: added },
      ...(ending && { ':ended': { SS: ended } }),
      ...(read && { ':read': read }),
    },
  };
}

async function readItems(
  table: Table,
  keys: readonly Key[],
  attributes?: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const only = attributes && { attributes: ['pk', 'sk', attribute.written, ...attributes] };
  const items = await batchGet(table, keys, { consistent: true, ...only });
  return new Map(items.map((item) => [keyName(keyOf(item)), item]));
}

const elements = (item: Item, name: string) => (item[name]?.SS ?? []).map(elementOf);
