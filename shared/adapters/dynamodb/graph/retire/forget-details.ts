import { chunksOf } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import { pagesOfClaim } from '../../../../domain/lineage/graph/claim.ts';
import type { Edge } from '../../../../domain/lineage/graph/claim-writer.ts';
import type { EdgeInScope } from '../../../../domain/lineage/graph/derivation.ts';
import { type DetailsByEdge, type HasEnded, withoutEnded } from '../../../../domain/lineage/graph/edge-details.ts';
import { type NodeId, nodeId, type ScopeId } from '../../../../domain/lineage/graph/node.ts';
import { type Order, type RunToken, runOfOrder } from '../../../../domain/lineage/graph/order.ts';
import { nodeKey, pageKey } from '../../keys/graph-keys.ts';
import { type Key, keyName } from '../../keys/registry-keys.ts';
import { reduceUnchanged } from '../../requests/batched-changes.ts';
import { type Item, itemsByKey } from '../../requests/items.ts';
import { changing, equal, type Requirement, updateItem, writeStamp } from '../../requests/update-item.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { attribute, levelOf } from '../codec.ts';
import { changeLongDetails, readLongDetails } from '../details/long-details.ts';
import { packDetails, pageDetailsOf } from '../details/packed-details.ts';

const pagesInFlight = 16;
/** What they read is held together. */
const nodesAtOnce = 100;
/** An expression holds 300 operators. */
const scopesPerUpdate = 100;

/** A page as it was read, and the edges that scopes may state on it. */
type StatingPage = {
  readonly to: NodeId;
  readonly key: Key;
  readonly item: Item;
  readonly edges: ReadonlyMap<ScopeId, readonly NodeId[]>;
};

/** Forgets what a run stated of edges of an observed scope, if no newer statement has come since; answers which. */
export async function forgetRun(
  writer: GraphWriter,
  scope: ScopeId,
  run: RunToken,
  edges: readonly Edge[],
): Promise<Edge[]> {
  const ends = edges.map((edge) => ({ edge, from: nodeId(edge.from), to: nodeId(edge.to), scope }));
  const pages = await statingPages(writer, ends);
  const newest = await newestOrders(writer, pages, run);
  // What was behind it goes too, or it would come back as the newest.
  await forgetOnPages(writer, pages, (to) => (order, from) => order <= (newest.get(`${from} ${to}`) ?? ''));
  return ends.flatMap(({ edge, from, to }) => (newest.has(`${from} ${to}`) ? [edge] : []));
}

/** Removes the details that are of that order or an older one. */
export async function forgetDetails(writer: GraphWriter, edges: readonly EdgeInScope[], until: Order): Promise<void> {
  const nodes = [...Map.groupBy(edges, ({ to }) => to).values()];
  for (const some of chunksOf(nodes, nodesAtOnce))
    await forgetOnPages(writer, await statingPages(writer, some.flat()), () => (order) => order <= until);
}

/** The pages that may hold details of edges, read consistently: what is removed follows from them. */
async function statingPages(writer: GraphWriter, edges: readonly EdgeInScope[]): Promise<StatingPage[]> {
  const { table, graph } = writer;
  const nodes = await itemsByKey(
    table,
    edges.map(({ to }) => nodeKey(graph, to)),
  );
  const placed = edges.flatMap((edge) => {
    const level = levelOf('in', nodes.get(keyName(nodeKey(graph, edge.to))) ?? {});
    const numbers = pagesOfClaim(level, edge.from, edge.scope);
    return numbers.map((number) => ({ edge, number, key: pageKey(graph, 'in', edge.to, number) }));
  });
  const further = placed.flatMap(({ number, key }) => (number > 0 ? [key] : []));
  const items = new Map([...nodes, ...(await itemsByKey(table, further))]);
  return [...Map.groupBy(placed, ({ key }) => keyName(key))].flatMap(([name, ofPage]): StatingPage[] => {
    const [item, first] = [items.get(name), ofPage[0]];
    if (!item || !first) return [];
    const ofScopes = Map.groupBy(ofPage, ({ edge }) => edge.scope);
    const stating = [...ofScopes].filter(([scope]) => item[attribute.details(scope)]);
    const named = stating.map(([scope, some]) => [scope, some.map(({ edge }) => edge.from)] as const);
    const { key, edge } = first;
    return chunksOf(named, scopesPerUpdate).map((some) => ({ to: edge.to, key, item, edges: new Map(some) }));
  });
}

/** The newest order on any page of each edge that a run states; no edge that it does not. */
async function newestOrders(
  writer: GraphWriter,
  pages: readonly StatingPage[],
  run: RunToken,
): Promise<ReadonlyMap<string, Order>> {
  const places = pages.flatMap(({ to, item, edges }) =>
    [...edges].map(([scope, froms]) => ({ to, froms, details: pageDetailsOf(item[attribute.details(scope)]) })),
  );
  const long = await readLongDetails(
    writer,
    places.flatMap(({ to, details }) => (details && 'item' in details ? [{ to, item: details.item }] : [])),
  );
  const found = new Map<string, Order>();
  for (const { to, froms, details } of places) {
    const known = details && ('item' in details ? long.get(details.item) : details.inline);
    for (const from of froms) {
      const versions = known?.get(from) ?? [];
      const order = versions[0]?.order;
      const isOfRun = versions.some((one) => runOfOrder(one.order) === run);
      if (order !== undefined && isOfRun && (found.get(`${from} ${to}`) ?? '') < order)
        found.set(`${from} ${to}`, order);
    }
  }
  return found;
}

type EndedOf = (to: NodeId) => HasEnded;

async function forgetOnPages(writer: GraphWriter, pages: readonly StatingPage[], endedOf: EndedOf): Promise<void> {
  const planned = await inParallel(pagesInFlight, pages, async (page) => ({
    page,
    ...(await remainderOf(writer, page, page.item, endedOf(page.to))),
  }));
  const changed = planned.filter(({ where }) => where.length > 0);
  // An attribute that nothing is left of is removed by the batch.
  const whole = changed.filter(({ where, remove }) => where.length === 1 && remove.length === 1);
  const others = changed.filter((one) => !whole.includes(one));
  const left = await reduceUnchanged(
    writer.table,
    whole.map((one) => ({ one, read: one.page.item, remove: one.remove })),
  );
  await inParallel(pagesInFlight, [...others, ...left], ({ page }) => forgetOnPage(writer, page, endedOf(page.to)));
}

/** The same of one page, which somebody may write meanwhile. */
async function forgetOnPage(writer: GraphWriter, page: StatingPage, hasEnded: HasEnded): Promise<void> {
  for (let item: Item | null = page.item; item !== null; ) {
    const { set, remove, where } = await remainderOf(writer, page, item, hasEnded);
    if (where.length === 0) return;
    const change = changing({ set: { ...set, w: writeStamp() }, remove, where });
    item = (await updateItem(writer.table, page.key, change)).refused;
  }
}

/** What is left on a page as it was read, of the scopes for which less is. */
async function remainderOf(writer: GraphWriter, { to, edges }: StatingPage, item: Item, hasEnded: HasEnded) {
  const [set, remove, where]: [Item, string[], Requirement[]] = [{}, [], []];
  for (const [scope, froms] of edges) {
    const name = attribute.details(scope);
    const details = pageDetailsOf(item[name]);
    if (details === null) continue;
    if ('item' in details) {
      const change = (known: DetailsByEdge) => withoutEnded(known, froms, hasEnded);
      if (await changeLongDetails(writer, { to, item: details.item }, change)) continue;
      remove.push(name);
    } else {
      const left = withoutEnded(details.inline, froms, hasEnded);
      if (left.size === details.inline.size) continue;
      if (left.size === 0) remove.push(name);
      else set[name] = packDetails(left);
    }
    where.push(equal(name, item[name]));
  }
  return { set, remove, where };
}
