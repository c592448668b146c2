import type { WorkspaceId } from '../../../../contract/ids.ts';
import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { DetailStore } from '../../../../domain/graph/detail-store.ts';
import type { NodeId } from '../../../../domain/graph/ids.ts';
import { lruCache } from '../../../../domain/lru-cache.ts';
import { nodeDetailsKey } from '../../keys/graph-keys.ts';
import { pack } from '../../packed.ts';
import type { Table } from '../../table.ts';
import { inFlight, itemKey, overflowKey, type Store } from './detail-items.ts';
import { forgetRun, forgetUpTo } from './forget-details.ts';
import { markOverflowed, maxNodeDetailBytes, putNodeDetails } from './node-details.ts';
import { putOverflow } from './overflow-details.ts';
import { readEdges, readRange } from './read-details.ts';

type Put = Parameters<DetailStore['put']>[1][number];

/** What has been kept of edges, for those who change nothing of it. */
export function detailReader(table: Table): Pick<DetailStore, 'get' | 'ofNodes'> {
  return readerOf((workspace) => ({ table, workspace, overflowedItems: lruCache(1) }));
}

const readerOf = (storeOf: (workspace: WorkspaceId) => Store): ReturnType<typeof detailReader> => ({
  get: (workspace, edges) => readEdges(storeOf(workspace), edges),
  ofNodes: (workspace, nodes) => readRange(storeOf(workspace), nodes),
});

/** Edge details over the table: the newest order's of each (edge, scope), those of all edges to a node inline. */
export function detailStore(table: Table): DetailStore {
  const overflowedItems = lruCache<string, true>(50_000);
  const storeOf = (workspace: WorkspaceId): Store => ({ table, workspace, overflowedItems });
  return {
    put: async (workspace, details) => {
      const groups = Map.groupBy(details, ({ to, scope }) => nodeDetailsKey(workspace, to, scope).sk);
      await inParallel(inFlight, [...groups.values()], (group) => putGroup(storeOf(workspace), group));
    },
    forget: (workspace, scope, run, edges) => forgetRun(storeOf(workspace), { scope, run, edges }),
    forgetUpTo: (workspace, edges, order) => forgetUpTo(storeOf(workspace), edges, order),
    ...readerOf(storeOf),
  };
}

/** The details of some edges to one node under one scope. */
async function putGroup(store: Store, group: readonly Put[]): Promise<void> {
  const details = newestOfEach(group);
  const [first] = details;
  if (!first) return;
  const key = itemKey(store, first);
  const packed = details.map(({ from, order, detail }) => ({ from, order, detail: pack(detail) }));
  const bytes = packed.reduce((sum, { detail }) => sum + (detail.B?.length ?? detail.S?.length ?? 0), 0);
  const hasOverflowed = bytes > maxNodeDetailBytes || store.overflowedItems.has(key.sk);
  const left = hasOverflowed ? packed : await putNodeDetails(store.table, key, packed);
  if (left.length === 0) return;
  store.overflowedItems.set(key.sk, true);
  const overflowing = new Set(left.map(({ from }) => from));
  await inParallel(
    inFlight,
    details.filter(({ from }) => overflowing.has(from)),
    (one) => putOverflow(store.table, overflowKey(store, one), one.order, one.detail),
  );
  // After them: whoever found none of them, and deletes the mark for that, is refused or undone by this.
  await markOverflowed(store.table, key);
}

/** An update names each edge once. */
function newestOfEach(group: readonly Put[]): Put[] {
  const found = new Map<NodeId, Put>();
  for (const one of group) {
    const known = found.get(one.from);
    if (!known || known.order < one.order) found.set(one.from, one);
  }
  return [...found.values()];
}
