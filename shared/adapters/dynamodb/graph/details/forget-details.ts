import { chunksOf } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { Edge } from '../../../../domain/lineage/graph/claim-writer.ts';
import type { EdgeInScope } from '../../../../domain/lineage/graph/derivation.ts';
import { nodeId, type ScopeId } from '../../../../domain/lineage/graph/node.ts';
import type { Order, RunToken } from '../../../../domain/lineage/graph/order.ts';
import { keyOf } from '../../keys/registry-keys.ts';
import { reduceUnchanged } from '../../requests/batched-changes.ts';
import { batchGet, type Item } from '../../requests/items.ts';
import {
  downstreamOf,
  endsWith,
  forgetMark,
  forgetNodeDetails,
  inFlight,
  itemKey,
  nodeDetail,
  overflowed,
  overflowKey,
  readNodeDetails,
  type Store,
} from './node-details.ts';
import { forgetOverflowUpTo } from './overflow-details.ts';

type Stored = {
  readonly items: ReadonlyMap<string, Item>;
  readonly overflow: ReadonlyMap<string, Item>;
};
type RunEdges = { readonly scope: ScopeId; readonly run: RunToken; readonly edges: readonly Edge[] };

/** Forgets what a run stated of edges of an observed scope, if no newer statement has come since; answers which. */
export async function forgetRun(store: Store, { scope, run, edges }: RunEdges): Promise<Edge[]> {
  const ends = edges.map((edge) => ({ edge, from: nodeId(edge.from), to: nodeId(edge.to), scope }));
  // Read first: a run stated few of its possible details.
  const stored = await readStored(store, ends);
  const ofRun = ends.flatMap((one) => {
    const item = stored.items.get(itemKey(store, one).sk);
    const inline = (item && nodeDetail(item, one.from)?.order) ?? '';
    const overflowing = stored.overflow.get(overflowKey(store, one).sk)?.['g']?.S ?? '';
    const newest = [inline, overflowing].sort().at(-1) as Order;
    return newest.includes(run) ? [{ ...one, newest }] : [];
  });
  // What was behind it goes too, or it would come back as the newest.
  await forgetInline(store, stored, ofRun, () => true);
  const overflowing = ofRun.filter((one) => stored.overflow.has(overflowKey(store, one).sk));
  await inParallel(inFlight, overflowing, (one) =>
    forgetOverflowUpTo(store.table, overflowKey(store, one), one.newest),
  );
  await forgetMarks(store, stored);
  return ofRun.map(({ edge }) => edge);
}

/** What they read is held together. */
const nodesAtOnce = 500;

/** Removes the details that are of that order or an older one. */
export async function forgetUpTo(store: Store, edges: readonly EdgeInScope[], order: Order): Promise<void> {
  const nodes = [...Map.groupBy(edges, (edge) => itemKey(store, edge).sk).values()];
  for (const some of chunksOf(nodes, nodesAtOnce)) await forgetSomeUpTo(store, some.flat(), order);
}

async function forgetSomeUpTo(store: Store, edges: readonly EdgeInScope[], order: Order): Promise<void> {
  const stored = await readStored(store, edges);
  await forgetInline(store, stored, edges, (one) => one <= order);
  const overflowing = edges.filter((edge) => stored.overflow.has(overflowKey(store, edge).sk));
  await inParallel(inFlight, overflowing, (edge) => forgetOverflowUpTo(store.table, overflowKey(store, edge), order));
  await forgetMarks(store, stored);
}

/** Deletes overflowed items that are empty and have no overflow items. */
async function forgetMarks(store: Store, { items }: Stored): Promise<void> {
  const marked = [...items].filter(([, item]) => item[overflowed]);
  await inParallel(inFlight, marked, ([sk]) => forgetMark(store.table, itemKey(store, downstreamOf(sk))));
}

async function readStored(store: Store, edges: readonly EdgeInScope[]): Promise<Stored> {
  const keys = edges.map((edge) => itemKey(store, edge));
  const items = await readNodeDetails(store.table, keys, true);
  const overflowing = edges
    .filter((edge) => items.get(itemKey(store, edge).sk)?.[overflowed])
    .map((edge) => overflowKey(store, edge));
  const overflow = await batchGet(store.table, overflowing, { consistent: true, attributes: ['sk', 'g'] });
  return { items, overflow: new Map(overflow.map((item) => [item['sk']?.S ?? '', item])) };
}

async function forgetInline(
  store: Store,
  { items }: Stored,
  edges: readonly EdgeInScope[],
  hasEnded: (order: Order) => boolean,
): Promise<void> {
  const groups = [...Map.groupBy(edges, (edge) => itemKey(store, edge).sk)].flatMap(([sk, group]) => {
    const item = items.get(sk);
    const from = group.map((edge) => edge.from);
    return item ? [{ item, key: keyOf(item), over: { edges: from, hasEnded } }] : [];
  });
  const ended = groups.filter(({ item, over }) => endsWith(item, over));
  const left = await reduceUnchanged(
    store.table,
    ended.map((one) => ({ one, read: one.item, remove: 'item' })),
  );
  const others = groups.filter((one) => !ended.includes(one));
  await inParallel(inFlight, [...others, ...left], ({ item, key, over }) =>
    forgetNodeDetails(store.table, key, item, over),
  );
}
