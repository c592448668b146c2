import { Fault } from '../../../../contract/fault.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { chunksOf } from '../../../../domain/chunks-of.ts';
import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { DetailStore } from '../../../../domain/graph/detail-store.ts';
import type { NodeId } from '../../../../domain/graph/ids.ts';
import { lruCache } from '../../../../domain/lru-cache.ts';
import type { Item } from '../../batch-get.ts';
import { batchedChanges } from '../../batched-changes.ts';
import { insertEach, insertMissing } from '../../insert-missing.ts';
import type { Key } from '../../keys/key.ts';
import { knownItems } from '../../known-items.ts';
import { pack } from '../../packed.ts';
import type { Table } from '../../table.ts';
import { inFlight, itemKey, overflowKey, type Store, type WrittenStore } from './detail-items.ts';
import { forgetRun, forgetUpTo } from './forget-details.ts';
import {
  markOverflowed,
  maxNodeDetailBytes,
  nodeDetailsItem,
  type Packed,
  putNodeDetails,
  readNodeDetails,
} from './node-details.ts';
import { putOverflow } from './overflow-details.ts';
import { readEdges, readRange } from './read-details.ts';
import { replaceNodeDetails } from './replace-details.ts';
import { noteInline, replaceTogether } from './replace-together.ts';
import type { HasTakenEffect } from './replaced-details.ts';

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
  const [known, changeTogether] = [knownItems(), batchedChanges(table)];
  const storeOf = (workspace: WorkspaceId): WrittenStore => ({
    table,
    workspace,
    overflowedItems,
    known,
    changeTogether,
  });
  return {
    put: async (workspace, details, hasTakenEffect) => {
      const store = storeOf(workspace);
      const groups = [...Map.groupBy(details, (one) => itemKey(store, one).sk).values()];
      if (hasTakenEffect === null) return putGroups(store, groups);
      for (const some of chunksOf(groups, groupsRead)) await replaceGroups(store, some, hasTakenEffect);
    },
    forget: (workspace, scope, run, edges) => forgetRun(storeOf(workspace), { scope, run, edges }),
    forgetUpTo: (workspace, edges, order) => forgetUpTo(storeOf(workspace), edges, order),
    ...readerOf(storeOf),
  };
}

/** The key of the details of some edges to one node under one scope. */
function keyOf(store: Store, [first]: readonly Put[]): Key {
  if (!first) throw new Fault('detail_group_empty', 'a group of details has at least one');
  return itemKey(store, first);
}

const packedEach = (details: readonly Put[]): Packed[] =>
  details.map(({ from, order, detail }) => ({ from, order, detail: pack(detail) }));

const isTooLarge = (packed: readonly Packed[]): boolean =>
  packed.reduce((sum, { detail }) => sum + (detail.B?.length ?? detail.S?.length ?? 0), 0) > maxNodeDetailBytes;

/** What the item of a node's details holds at first; null where they do not go into one item. */
function firstDetails(store: Store, group: readonly Put[]): Item | null {
  const packed = packedEach(newestOfEach(group));
  return isTooLarge(packed) || store.overflowedItems.has(keyOf(store, group).sk) ? null : nodeDetailsItem(packed);
}

async function putGroups(store: WrittenStore, groups: readonly (readonly Put[])[]): Promise<void> {
  const left = await insertMissing(store.table, groups, insertionOf(store));
  await inParallel(inFlight, left, (group) => putGroup(store, group, null));
}

/** Items that are held together. */
const groupsRead = 1_000;

/** The same where what is replaced may still be seen. */
async function replaceGroups(store: WrittenStore, groups: readonly (readonly Put[])[], hasTakenEffect: HasTakenEffect) {
  const keys = groups.map((group) => keyOf(store, group));
  // What came or went since then is refused, and read again.
  const items = await readNodeDetails(store.table, keys, false);
  const itemOf = (group: readonly Put[]) => items.get(keyOf(store, group).sk);
  const absent = groups.filter((group) => itemOf(group) === undefined);
  const left = [
    ...groups.filter((group) => itemOf(group) !== undefined),
    ...(await insertEach(store.table, absent, insertionOf(store))),
  ];
  await inParallel(inFlight, left, (group) => putGroup(store, group, { read: itemOf(group) ?? {}, hasTakenEffect }));
}

const insertionOf = (store: Store) => ({
  keyOf: (group: readonly Put[]) => keyOf(store, group),
  attributesOf: (group: readonly Put[]) => firstDetails(store, group),
});

async function putGroup(
  store: WrittenStore,
  group: readonly Put[],
  replacing: { readonly read: Item; readonly hasTakenEffect: HasTakenEffect } | null,
): Promise<void> {
  const [key, details] = [keyOf(store, group), newestOfEach(group)];
  const packed = packedEach(details);
  const hasOverflowed = isTooLarge(packed) || store.overflowedItems.has(key.sk);
  if (!hasOverflowed && replacing === null && (await replaceTogether(store, key, packed))) return;
  const left = hasOverflowed ? packed : await putInline(store, key, packed, replacing);
  if (left.length === 0) return noteInline(store, key);
  store.overflowedItems.set(key.sk, true);
  const overflowing = new Set(left.map(({ from }) => from));
  await inParallel(
    inFlight,
    details.filter(({ from }) => overflowing.has(from)),
    (one) => putOverflow(store.table, overflowKey(store, one), one, replacing?.hasTakenEffect ?? null),
  );
  // After them: whoever found none of them, and deletes the mark for that, is refused or undone by this.
  await markOverflowed(store.table, key);
}

const putInline = (
  { table }: Store,
  key: Key,
  packed: readonly Packed[],
  replacing: Parameters<typeof putGroup>[2],
): Promise<readonly Packed[]> =>
  replacing ? replaceNodeDetails(table, key, packed, replacing) : putNodeDetails(table, key, packed);

/** An update names each edge once. */
function newestOfEach(group: readonly Put[]): Put[] {
  const found = new Map<NodeId, Put>();
  for (const one of group) {
    const known = found.get(one.from);
    if (!known || known.order < one.order) found.set(one.from, one);
  }
  return [...found.values()];
}
