import { chunksOf } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { PageSide } from '../../../../domain/lineage/graph/claim.ts';
import type { ClaimWriter } from '../../../../domain/lineage/graph/claim-writer.ts';
import type { NodeId } from '../../../../domain/lineage/graph/node.ts';
import type { Order } from '../../../../domain/lineage/graph/order.ts';
import type { ClaimPlace } from '../../../../domain/lineage/graph/removals.ts';
import { type Key, keyName } from '../../keys/registry-keys.ts';
import { insertEach, reduceUnchanged } from '../../requests/batched-changes.ts';
import { type Item, itemsByKey } from '../../requests/items.ts';
import type { Table } from '../../requests/table.ts';
import { changing, equal, type UpdateExpression, updateItem, writeStamp } from '../../requests/update-item.ts';
import { pageSides, pagesOfRetired, type RetiredPage } from '../claims/claim-pages.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { attribute, claimElement, elementOf, nodeIdOf } from '../codec.ts';

type ClaimingPage = {
  readonly page: RetiredPage;
  readonly item: Item;
  readonly names: readonly string[];
  readonly runs: readonly Run[];
  readonly past: Item | undefined;
};

const pagesPerRead = 100;
const pagesInFlight = 16;
/** An expression holds 4 KB. */
const runsPerUpdate = 20;

/** Moves a retired order's claims to history: written there, then removed as read. Empty pages stay to find history. */
export async function prunePages(writer: GraphWriter, retired: Retired): Promise<void> {
  const pages = await pagesOfRetired(writer, retired);
  while (pages.length > 0) await prunePagesOfOneRead(writer.table, pages.splice(0, pagesPerRead), retired);
}

async function prunePagesOfOneRead(table: Table, pages: readonly RetiredPage[], retired: Retired): Promise<void> {
  const found = await claimingPages(table, pages, retired);
  const refused = await insertEach(table, found, {
    keyOf: ({ page }) => page.history,
    attributesOf: ({ past, runs }) =>
      past ? null : { [attribute.written]: writeStamp(), ...continuing({}, runs).added },
  });
  await inParallel(pagesInFlight, refused, async ({ page, past = {}, runs }) => {
    for (const some of chunksOf(runs, runsPerUpdate))
      await addToHistory(table, { key: page.history, item: past }, some);
  });
  const left = await reduceUnchanged(
    table,
    found.map((one) => ({ one, read: one.item, remove: one.names })),
  );
  await inParallel(pagesInFlight, left, ({ page, item, names }) =>
    updateItem(table, page.current, removal(item, names)),
  );
}

async function claimingPages(table: Table, pages: readonly RetiredPage[], retired: Retired): Promise<ClaimingPage[]> {
  const current = await itemsByKey(
    table,
    pages.map((page) => page.current),
    { attributes: [attribute.written, ...pageSides.map((side) => claimsAttribute(retired, side, retired.order))] },
  );
  const claiming = pages.flatMap((page) => {
    const item = current.get(keyName(page.current)) ?? {};
    const claims = page.sides.flatMap((side) => {
      const name = claimsAttribute(retired, side, retired.order);
      const others = item[name]?.SS;
      return others ? [{ name, runs: runsOf(retired, { node: nodeIdOf(item), side }, others as NodeId[]) }] : [];
    });
    return claims.length > 0 ? [{ page, item, claims }] : [];
  });
  const history = await itemsByKey(
    table,
    claiming.map(({ page }) => page.history),
  );
  return claiming.map(({ page, item, claims }) => ({
    page,
    item,
    names: claims.map(({ name }) => name),
    runs: claims.flatMap(({ runs }) => runs),
    past: history.get(keyName(page.history)),
  }));
}

/** Takes of a page that somebody wrote meanwhile what was read of it, and no more. */
const removal = (item: Item, names: readonly string[]): UpdateExpression => ({
  UpdateExpression: `SET w = :w DELETE ${names.map((_, i) => `#n${i} :set${i}`).join(', ')}`,
  ConditionExpression: names.map((_, i) => `attribute_exists(#n${i})`).join(' OR '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
  ExpressionAttributeValues: {
    ':w': writeStamp(),
    ...Object.fromEntries(names.map((name, i) => [`:set${i}`, item[name] ?? { SS: [] }])),
  },
});

type Retired = Parameters<ClaimWriter['prune']>[1];

type Run = {
  readonly first: Order;
  readonly last: Order;
  readonly name: string;
  readonly before: { readonly name: string; readonly order: Order } | null;
  readonly others: readonly NodeId[];
};

/** The attribute that holds what an order claims on a side, of an item of either kind. */
const claimsAttribute = ({ kind, scope }: Retired, side: PageSide, order: Order): string =>
  attribute.claims(side, kind, scope, order);

function runsOf(retired: Retired, place: ClaimPlace, claimed: readonly NodeId[]): Run[] {
  const { order: first, continuesOrder: order } = retired;
  const before = order === null ? null : { name: claimsAttribute(retired, place.side, order), order };
  const byLast = Map.groupBy(claimed, (other) => retired.lastOrder(place, other));
  return [...byLast].map(([last, others]) => {
    return { first, last, name: claimsAttribute(retired, place.side, last), before, others };
  });
}

/** A snapshot repeats nearly all of the one before: stored as runs, history grows with changes and not with every load. */
async function addToHistory(
  table: Table,
  { key, item }: { readonly key: Key; readonly item: Item },
  runs: readonly Run[],
): Promise<void> {
  const fresh = runs.map((run) => ({ ...run, others: unknownOf(item, run) })).filter(({ others }) => others.length > 0);
  if (fresh.length === 0) return;
  const { refused } = await updateItem(table, key, addition(item, fresh));
  // Refused: another order came to the same page since it was read.
  if (refused === null) return;
  const repeated = await itemsByKey(table, [key]);
  await addToHistory(table, { key, item: repeated.get(keyName(key)) ?? {} }, fresh);
}

function unknownOf(item: Item, { name, first, last, others }: Run): NodeId[] {
  const known = new Set(elements(item, name).flatMap(({ other, since = last }) => (since <= first ? other : [])));
  return others.filter((other) => !known.has(other));
}

const addition = (item: Item, runs: readonly Run[]): UpdateExpression => {
  const { added, ended } = continuing(item, runs);
  // Nobody wrote to the item since it was read.
  const where = [equal(attribute.written, item[attribute.written])];
  return changing({ set: { [attribute.written]: writeStamp() }, add: added, take: ended, where });
};

/** What runs add to a page of history, and what they continue, and so replace. */
function continuing(item: Item, runs: readonly Run[]): { readonly added: Item; readonly ended: Item } {
  const [added, ended] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const run of runs) {
    const { name, before } = run;
    const fresh = new Set(run.others);
    const continued = before ? elements(item, before.name).filter(({ other }) => fresh.has(other)) : [];
    const starts = new Map(continued.map(({ other, since = before?.order ?? run.first }) => [other, since]));
    const own = run.others.map((other) => {
      const since = starts.get(other) ?? run.first;
      return claimElement(other, since === run.last ? null : since);
    });
    added.set(name, own);
    const past = continued.map(({ other, since = null }) => claimElement(other, since));
    // Several runs may continue what ended at one order; an expression names an attribute once.
    if (before && past.length > 0) ended.set(before.name, [...(ended.get(before.name) ?? []), ...past]);
  }
  return { added: setsOf(added), ended: setsOf(ended) };
}

const setsOf = (sets: ReadonlyMap<string, string[]>): Item =>
  Object.fromEntries([...sets].map(([name, elements]) => [name, { SS: elements }]));

const elements = (item: Item, name: string) => (item[name]?.SS ?? []).map(elementOf);
