import { Fault } from '../../../../contract/problems.ts';
import { lruCache } from '../../../../domain/base/caching.ts';
import { chunksOf } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import {
  type DetailStore,
  type DetailVersion,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type FoundDetail,
} from '../../../../domain/lineage/graph/derivation.ts';
import { type GraphId, type NodeId, shardOf } from '../../../../domain/lineage/graph/node.ts';
import type { Order } from '../../../../domain/lineage/graph/order.ts';
import type { NodeRange } from '../../../../domain/lineage/graph/page-reader.ts';
import { afterNode, edgeDetailShard } from '../../keys/graph-keys.ts';
import type { Key } from '../../keys/registry-keys.ts';
import { batchedChanges, insertEach, insertMissing, knownItems } from '../../requests/batched-changes.ts';
import { batchGet, type Item } from '../../requests/items.ts';
import { pack, unpackShared } from '../../requests/parts.ts';
import { between, queryAll } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';
import { forgetRun, forgetUpTo } from './forget-details.ts';
import {
  downstreamOf,
  edgeOf,
  type HasTakenEffect,
  inFlight,
  isItemKey,
  itemKey,
  markOverflowed,
  maxNodeDetailBytes,
  newestFirst,
  nodeDetail,
  nodeDetailEdges,
  nodeDetailsItem,
  overflowed,
  overflowKey,
  type Packed,
  putNodeDetails,
  readNodeDetails,
  replacedAttribute,
  replacedIn,
  replacing,
  type Store,
  type WrittenStore,
} from './node-details.ts';
import {
  currentVersion,
  overflowDetailOf,
  overflowVersions,
  putOverflow,
  replaceNodeDetails,
} from './overflow-details.ts';

type Stored = { readonly edge: EdgeInScope; readonly item: Item | undefined };

async function readEdges(store: Store, edges: readonly EdgeInScope[]): Promise<FoundDetail[]> {
  const keyed = edges.map((edge) => ({ edge, key: itemKey(store, edge) }));
  const items = await readNodeDetails(
    store.table,
    keyed.map(({ key }) => key),
    false,
  );
  const stored = keyed.map(({ edge, key }) => ({ edge, item: items.get(key.sk) }));
  const overflowing = stored.flatMap(({ edge, item }) => (item?.[overflowed] ? overflowKey(store, edge) : []));
  return newest(store, stored, await batchGet(store.table, overflowing));
}

async function readRange(store: Store, { first, last }: NodeRange): Promise<FoundDetail[]> {
  const items = new Map<string, Item>();
  const overflow: Item[] = [];
  const query = {
    ...between(edgeDetailShard(store.graph, shardOf(first)), first, afterNode(last)),
    // Parts are read by those who find that they need them.
    FilterExpression: 'attribute_not_exists(#part)',
    ExpressionAttributeNames: { '#part': 'part' },
  };
  for await (const item of queryAll(store.table, query)) {
    const sk = item['sk']?.S ?? '';
    if (isItemKey(sk)) items.set(sk, item);
    else overflow.push(item);
  }
  const inline = [...items].flatMap(([sk, item]) =>
    nodeDetailEdges(item).map((from) => ({ ...downstreamOf(sk), from })),
  );
  const edges = new Map([...inline, ...overflow.map(edgeOf)].map((edge) => [edgeInScopeName(edge), edge]));
  const stored = [...edges.values()].map((edge) => ({ edge, item: items.get(itemKey(store, edge).sk) }));
  return newest(store, stored, overflow);
}

async function newest({ table }: Store, stored: readonly Stored[], overflow: readonly Item[]): Promise<FoundDetail[]> {
  const overflowing = new Map(overflow.map((item) => [edgeInScopeName(edgeOf(item)), item]));
  const replaced = replacedOnce();
  const found: FoundDetail[] = [];
  const newerApart: { readonly edge: EdgeInScope; readonly single: Item; readonly older: readonly DetailVersion[] }[] =
    [];
  for (const { edge, item = {} } of stored) {
    const single = overflowing.size > 0 ? overflowing.get(edgeInScopeName(edge)) : undefined;
    const inline = nodeDetail(item, edge.from);
    const older = replaced(item, edge.from);
    if (single && (inline?.order ?? '') <= (single['g']?.S ?? ''))
      newerApart.push({ edge, single, older: [...replacedIn(single), ...currentVersion(item, edge.from), ...older] });
    else if (inline) {
      const current = { order: inline.order, detail: unpackShared(inline.detail) as EdgeDetail };
      found.push(foundOn(edge, current, single ? [...overflowVersions(single, edge.from), ...older] : older));
    }
  }
  const read = await inParallel(inFlight, newerApart, async ({ edge, single, older }) => {
    const detail = await overflowDetailOf(table, single);
    return detail ? foundOn(edge, { order: single['g']?.S as Order, detail }, older) : [];
  });
  return [...found, ...read.flat()];
}

const none: readonly DetailVersion[] = [];

function replacedOnce() {
  const known = new Map<Item, ReturnType<typeof replacedIn>>();
  return (item: Item, from: NodeId): readonly DetailVersion[] => {
    if (item[replacedAttribute] === undefined) return none;
    const replaced = known.get(item) ?? replacedIn(item);
    known.set(item, replaced);
    return replaced.filter((one) => one.from === from);
  };
}

function foundOn(
  { from, to, scope }: EdgeInScope,
  current: DetailVersion,
  others: readonly DetailVersion[],
): FoundDetail {
  const found = { from, to, scope, ...current };
  if (others.length === 0) return found;
  const older = others.filter(({ order }) => order < current.order);
  return { ...found, versions: [current, ...newestFirst(older)] };
}

/** Replaces details by newer ones by the batch where the process knows the item; answers whether it did. */
const replaceTogether = (store: WrittenStore, key: Key, packed: readonly Packed[]): Promise<boolean> =>
  store.known.change(store.changeTogether, [nameOf(store, key)], () => ({ key, ...replacing(packed) }));

const noteInline = (store: WrittenStore, key: Key): void => store.known.note([nameOf(store, key)]);

const nameOf = ({ graph }: Store, { sk }: Key): string => `${graph} ${sk}`;

type Put = Parameters<DetailStore['put']>[1][number];

export function detailReader(table: Table): Pick<DetailStore, 'get' | 'ofNodes'> {
  return readerOf((graph) => ({ table, graph, overflowedItems: lruCache(1) }));
}

const readerOf = (storeOf: (graph: GraphId) => Store): ReturnType<typeof detailReader> => ({
  get: (graph, edges) => readEdges(storeOf(graph), edges),
  ofNodes: (graph, nodes) => readRange(storeOf(graph), nodes),
});

/** Edge details over the table: the newest order's of each (edge, scope), those of all edges to a node inline. */
export function detailStore(table: Table): DetailStore {
  const overflowedItems = lruCache<string, true>(50_000);
  const [known, changeTogether] = [knownItems(), batchedChanges(table)];
  const storeOf = (graph: GraphId): WrittenStore => ({
    table,
    graph,
    overflowedItems,
    known,
    changeTogether,
  });
  return {
    put: async (graph, details, hasTakenEffect) => {
      const store = storeOf(graph);
      const groups = [...Map.groupBy(details, (one) => itemKey(store, one).sk).values()];
      if (hasTakenEffect === null) return putGroups(store, groups);
      for (const some of chunksOf(groups, groupsRead)) await replaceGroups(store, some, hasTakenEffect);
    },
    forget: (graph, scope, run, edges) => forgetRun(storeOf(graph), { scope, run, edges }),
    forgetUpTo: (graph, edges, order) => forgetUpTo(storeOf(graph), edges, order),
    ...readerOf(storeOf),
  };
}

function keyOf(store: Store, [first]: readonly Put[]): Key {
  if (!first) throw new Fault('detail_group_empty', 'a group of details has at least one');
  return itemKey(store, first);
}

const packedEach = (details: readonly Put[]): Packed[] =>
  details.map(({ from, order, detail }) => ({ from, order, detail: pack(detail) }));

const isTooLarge = (packed: readonly Packed[]): boolean =>
  packed.reduce((sum, { detail }) => sum + (detail.B?.length ?? detail.S?.length ?? 0), 0) > maxNodeDetailBytes;

/** What the item of a node's details holds at first; null if they do not go into one item. */
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
  // After them: a process that found none and deletes the mark is refused, or this write restores the mark.
  await markOverflowed(store.table, key);
}

const putInline = (
  { table }: Store,
  key: Key,
  packed: readonly Packed[],
  replacing: Parameters<typeof putGroup>[2],
): Promise<readonly Packed[]> =>
  replacing ? replaceNodeDetails(table, key, packed, replacing) : putNodeDetails(table, key, packed);

function newestOfEach(group: readonly Put[]): Put[] {
  const found = new Map<NodeId, Put>();
  for (const one of group) {
    const known = found.get(one.from);
    if (!known || known.order < one.order) found.set(one.from, one);
  }
  return [...found.values()];
}
