import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import { type NodeId, nodeId, nodeIdLength, type ScopeId, scopeIdLength, shardOf } from '../../../../domain/graph/ids.ts';
import type { Order, RunToken } from '../../../../domain/graph/order.ts';
import type { DetailStore, Edge, EdgeDetail, EdgeInScope, NodeRange } from '../../../../domain/graph/ports.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import { afterNode, edgeDetailKey, edgeDetailShard, type Key, nodeDetailsKey } from '../../keys.ts';
import { pack, unpack } from '../../packed.ts';
import { queryAll } from '../../query-all.ts';
import type { Table } from '../../table.ts';
import {
  forgetNodeDetails,
  markOverflowed,
  maxNodeDetailBytes,
  nodeDetail,
  nodeDetailEdges,
  overflowed,
  putNodeDetails,
  readNodeDetails,
} from './node-details.ts';
import { forgetOverflowUpTo, overflowDetailOf, putOverflow } from './overflow-details.ts';

const inFlight = 24;

type Store = {
  readonly table: Table;
  /** Sort keys of items that have overflowed: none ever fits again. */
  readonly overflowedItems: LRUCache<string, true>;
};

type Put = Parameters<DetailStore['put']>[1][number];
type Found = EdgeInScope & { readonly detail: EdgeDetail };

/** Edge details over the table: the newest order's of each (edge, scope), those of all edges to a node inline. */
export function detailStore(table: Table): DetailStore {
  const store: Store = { table, overflowedItems: new LRUCache({ max: 50_000 }) };
  return {
    put: async (workspace, details) => {
      const groups = Map.groupBy(details, ({ to, scope }) => nodeDetailsKey(workspace, to, scope).sk);
      await inParallel(inFlight, [...groups.values()], (group) => putGroup(store, workspace, group));
    },
    forget: (workspace, scope, run, edges) => forgetRun(store, workspace, scope, run, edges),
    forgetUpTo: (workspace, edges, order) => forgetUpTo(store, workspace, edges, order),
    get: (workspace, edges) => readEdges(store, workspace, edges),
    ofNodes: (workspace, nodes) => readRange(store, workspace, nodes),
  };
}

const nodeDetailsKeyOf = (workspace: WorkspaceId, { to, scope }: Pick<EdgeInScope, 'to' | 'scope'>) =>
  nodeDetailsKey(workspace, to, scope);
const overflowKey = (workspace: WorkspaceId, { from, to, scope }: EdgeInScope) =>
  edgeDetailKey(workspace, from, to, scope);

/** The details of some edges to one node under one scope. */
async function putGroup(store: Store, workspace: WorkspaceId, group: readonly Put[]): Promise<void> {
  const details = newestOfEach(group);
  const [first] = details;
  if (!first) return;
  const key = nodeDetailsKeyOf(workspace, first);
  const packed = details.map(({ from, order, detail }) => ({ from, order, detail: pack(detail) }));
  const bytes = packed.reduce((sum, { detail }) => sum + (detail.B?.length ?? detail.S?.length ?? 0), 0);
  if (bytes > maxNodeDetailBytes && !store.overflowedItems.has(key.sk)) await markOverflowed(store.table, key);
  const hasOverflowed = bytes > maxNodeDetailBytes || store.overflowedItems.has(key.sk);
  const left = hasOverflowed ? packed : await putNodeDetails(store.table, key, packed);
  if (left.length === 0) return;
  store.overflowedItems.set(key.sk, true);
  const overflowing = new Set(left.map(({ from }) => from));
  await inParallel(
    inFlight,
    details.filter(({ from }) => overflowing.has(from)),
    (one) => putOverflow(store.table, overflowKey(workspace, one), one.order, one.detail),
  );
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

async function readEdges(store: Store, workspace: WorkspaceId, edges: readonly EdgeInScope[]): Promise<Found[]> {
  const nodeItems = await readNodeDetails(
    store.table,
    edges.map((edge) => nodeDetailsKeyOf(workspace, edge)),
    false,
  );
  const itemOf = (edge: EdgeInScope) => nodeItems.get(nodeDetailsKeyOf(workspace, edge).sk);
  const overflowing = edges.filter((edge) => itemOf(edge)?.[overflowed]).map((edge) => overflowKey(workspace, edge));
  const overflow = await batchGet(store.table, overflowing);
  return newest(store.table, edges, itemOf, overflow);
}

async function readRange(store: Store, workspace: WorkspaceId, { first, last }: NodeRange): Promise<Found[]> {
  const nodeItems = new Map<string, Item>();
  const overflow: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    // Parts are read by those who find that they need them.
    FilterExpression: 'attribute_not_exists(#part)',
    ExpressionAttributeNames: { '#part': 'part' },
    ExpressionAttributeValues: {
      ':pk': { S: edgeDetailShard(workspace, shardOf(first)) },
      ':first': { S: first },
      ':last': { S: afterNode(last) },
    },
  };
  for await (const item of queryAll(store.table, query)) {
    const sk = item['sk']?.S ?? '';
    if (sk.length === nodeDetailKeyLength) nodeItems.set(sk, item);
    else overflow.push(item);
  }
  const inline = [...nodeItems].flatMap(([sk, item]) => nodeDetailEdges(item).map((from) => ({ ...endOf(sk), from })));
  const edges = new Map([...inline, ...overflow.map(edgeOf)].map((edge) => [nameOf(edge), edge]));
  return newest(
    store.table,
    [...edges.values()],
    (edge) => nodeItems.get(nodeDetailsKeyOf(workspace, edge).sk),
    overflow,
  );
}

/** Of a detail in its node's item and one in an item of its own, the newer. */
async function newest(
  table: Table,
  edges: readonly EdgeInScope[],
  nodeItemsOf: (edge: EdgeInScope) => Item | undefined,
  overflow: readonly Item[],
): Promise<Found[]> {
  const overflowing = new Map(overflow.map((item) => [nameOf(edgeOf(item)), item]));
  const found: Found[] = [];
  const newerApart: { readonly edge: EdgeInScope; readonly single: Item }[] = [];
  for (const edge of edges) {
    const [item, single] = [nodeItemsOf(edge), overflowing.get(nameOf(edge))];
    const inline = item ? nodeDetail(item, edge.from) : null;
    if (single && (inline?.order ?? '') <= (single['g']?.S ?? '')) newerApart.push({ edge, single });
    else if (inline) found.push(foundOn(edge, unpack(inline.detail) as EdgeDetail));
  }
  const read = await inParallel(inFlight, newerApart, async ({ edge, single }) => {
    const detail = await overflowDetailOf(table, single);
    return detail ? foundOn(edge, detail) : [];
  });
  return [...found, ...read.flat()];
}

const foundOn = ({ from, to, scope }: EdgeInScope, detail: EdgeDetail): Found => ({ from, to, scope, detail });

async function forgetRun(
  store: Store,
  workspace: WorkspaceId,
  scope: ScopeId,
  run: RunToken,
  edges: readonly Edge[],
): Promise<Edge[]> {
  const ends = edges.map((edge) => ({ edge, from: nodeId(edge.from), to: nodeId(edge.to), scope }));
  // Read first: a run stated hardly any of what it could have stated.
  const { nodeItems, overflow } = await stored(store, workspace, ends);
  const ofRun = ends.flatMap((one) => {
    const inline = nodeDetailOrder(nodeItems.get(nodeDetailsKeyOf(workspace, one).sk), one.from) ?? '';
    const overflowing = overflow.get(overflowKey(workspace, one).sk)?.['g']?.S ?? '';
    const newest = [inline, overflowing].sort().at(-1) as Order;
    return newest.includes(run) ? [{ ...one, newest }] : [];
  });
  // What stood behind it goes too, or it would come back as the newest.
  await forgetTogether(store, workspace, nodeItems, ofRun, () => true);
  const overflowing = ofRun.filter((one) => overflow.has(overflowKey(workspace, one).sk));
  await inParallel(inFlight, overflowing, (one) =>
    forgetOverflowUpTo(store.table, overflowKey(workspace, one), one.newest),
  );
  return ofRun.map(({ edge }) => edge);
}

async function forgetUpTo(
  store: Store,
  workspace: WorkspaceId,
  edges: readonly EdgeInScope[],
  order: Order,
): Promise<void> {
  const { nodeItems, overflow } = await stored(store, workspace, edges);
  await forgetTogether(store, workspace, nodeItems, edges, (one) => one <= order);
  const overflowing = edges.filter((edge) => overflow.has(overflowKey(workspace, edge).sk));
  await inParallel(inFlight, overflowing, (edge) =>
    forgetOverflowUpTo(store.table, overflowKey(workspace, edge), order),
  );
}

const nodeDetailOrder = (item: Item | undefined, from: NodeId) => (item ? nodeDetail(item, from)?.order : undefined);

/** What is kept of edges, read consistently. */
async function stored(store: Store, workspace: WorkspaceId, edges: readonly EdgeInScope[]) {
  const nodeItems = await readNodeDetails(
    store.table,
    edges.map((edge) => nodeDetailsKeyOf(workspace, edge)),
    true,
  );
  const overflowing = edges.filter((edge) => nodeItems.get(nodeDetailsKeyOf(workspace, edge).sk)?.[overflowed]);
  const keys = overflowing.map((edge) => overflowKey(workspace, edge));
  const items = await batchGet(store.table, keys, { consistent: true, attributes: ['sk', 'g'] });
  return { nodeItems, overflow: new Map(items.map((item) => [item['sk']?.S ?? '', item])) };
}

async function forgetTogether(
  store: Store,
  workspace: WorkspaceId,
  nodeItems: ReadonlyMap<string, Item>,
  edges: readonly EdgeInScope[],
  hasEnded: (order: Order) => boolean,
): Promise<void> {
  const groups = Map.groupBy(edges, (edge) => nodeDetailsKeyOf(workspace, edge).sk);
  await inParallel(inFlight, [...groups], async ([sk, group]) => {
    const [item, [first]] = [nodeItems.get(sk), group];
    if (!item || !first) return;
    const key: Key = nodeDetailsKeyOf(workspace, first);
    await forgetNodeDetails(
      store.table,
      key,
      item,
      group.map(({ from }) => from),
      hasEnded,
    );
  });
}

const nodeDetailKeyLength = nodeIdLength + 1 + scopeIdLength;
const nameOf = ({ from, to, scope }: EdgeInScope): string => `${from}${to}${scope}`;
const endOf = (sk: string) => ({
  to: sk.slice(0, nodeIdLength) as NodeId,
  scope: sk.slice(nodeIdLength + 1, nodeDetailKeyLength) as ScopeId,
});
const edgeOf = (item: Item): EdgeInScope => {
  const sk = item['sk']?.S ?? '';
  return { ...endOf(sk), from: sk.slice(nodeDetailKeyLength + 1, nodeDetailKeyLength + 1 + nodeIdLength) as NodeId };
};
