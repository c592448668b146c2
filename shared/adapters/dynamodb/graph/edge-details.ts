import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type NodeId, nodeId, nodeIdLength, type ScopeId, scopeIdLength, shardOf } from '../../../domain/graph/ids.ts';
import type { Order, RunToken } from '../../../domain/graph/order.ts';
import type { DetailStore, Edge, EdgeDetail, EdgeInScope, NodeRange } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { edgeDetailKey, edgeDetailShard, type Key, nodeDetailsKey, pastNode } from '../keys.ts';
import { pack, unpack } from '../packed.ts';
import { queryAll } from '../query-all.ts';
import type { Meter, Table } from '../table.ts';
import {
  forgetJoint,
  jointDetail,
  jointEdges,
  markWide,
  mostBytesTogether,
  putJoint,
  readJoint,
  wide,
} from './joint-details.ts';
import { forgetSingleUpTo, putSingle, singleDetailOf, type Target } from './single-details.ts';

const inFlight = 24;

type Store = Target & {
  /** Sort keys of items that are wide: they never become narrow again. */
  readonly wideItems: LRUCache<string, true>;
};

type Put = Parameters<DetailStore['put']>[1][number];
type Found = EdgeInScope & { readonly detail: EdgeDetail };

/** Edge details over the table: the newest order's of each (edge, scope), those of all edges to a node together. */
export function detailStore(table: Table, meter?: Meter): DetailStore {
  const store: Store = { table, meter, wideItems: new LRUCache({ max: 50_000 }) };
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

const jointKey = (workspace: WorkspaceId, { to, scope }: Pick<EdgeInScope, 'to' | 'scope'>) =>
  nodeDetailsKey(workspace, to, scope);
const singleKey = (workspace: WorkspaceId, { from, to, scope }: EdgeInScope) =>
  edgeDetailKey(workspace, from, to, scope);

/** The details of some edges to one node under one scope. */
async function putGroup(store: Store, workspace: WorkspaceId, group: readonly Put[]): Promise<void> {
  const details = newestOfEach(group);
  const [first] = details;
  if (!first) return;
  const key = jointKey(workspace, first);
  const packed = details.map(({ from, order, detail }) => ({ from, order, detail: pack(detail) }));
  const bytes = packed.reduce((sum, { detail }) => sum + (detail.B?.length ?? detail.S?.length ?? 0), 0);
  if (bytes > mostBytesTogether && !store.wideItems.has(key.sk)) await markWide(store, key);
  const isWide = bytes > mostBytesTogether || store.wideItems.has(key.sk);
  const left = isWide ? packed : await putJoint(store, key, packed);
  if (left.length === 0) return;
  store.wideItems.set(key.sk, true);
  const apart = new Set(left.map(({ from }) => from));
  await inParallel(
    inFlight,
    details.filter(({ from }) => apart.has(from)),
    (one) => putSingle(store, singleKey(workspace, one), one.order, one.detail),
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
  const joint = await readJoint(
    store,
    edges.map((edge) => jointKey(workspace, edge)),
    false,
  );
  const itemOf = (edge: EdgeInScope) => joint.get(jointKey(workspace, edge).sk);
  const apart = edges.filter((edge) => itemOf(edge)?.[wide]).map((edge) => singleKey(workspace, edge));
  const singles = await batchGet(store.table, apart, store.meter ? { meter: store.meter } : {});
  return newest(store, edges, itemOf, singles);
}

async function readRange(store: Store, workspace: WorkspaceId, { first, last }: NodeRange): Promise<Found[]> {
  const joint = new Map<string, Item>();
  const singles: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    // Parts are read by those who find that they need them.
    FilterExpression: 'attribute_not_exists(#part)',
    ExpressionAttributeNames: { '#part': 'part' },
    ExpressionAttributeValues: {
      ':pk': { S: edgeDetailShard(workspace, shardOf(first)) },
      ':first': { S: first },
      ':last': { S: pastNode(last) },
    },
  };
  for await (const item of queryAll(store.table, query)) {
    const sk = item['sk']?.S ?? '';
    if (sk.length === jointLength) joint.set(sk, item);
    else singles.push(item);
  }
  const together = [...joint].flatMap(([sk, item]) => jointEdges(item).map((from) => ({ ...endOf(sk), from })));
  const edges = new Map([...together, ...singles.map(edgeOf)].map((edge) => [nameOf(edge), edge]));
  return newest(store, [...edges.values()], (edge) => joint.get(jointKey(workspace, edge).sk), singles);
}

/** Of a detail in its node's item and one in an item of its own, the newer. */
async function newest(
  target: Target,
  edges: readonly EdgeInScope[],
  jointOf: (edge: EdgeInScope) => Item | undefined,
  singles: readonly Item[],
): Promise<Found[]> {
  const apart = new Map(singles.map((item) => [nameOf(edgeOf(item)), item]));
  const found: Found[] = [];
  const newerApart: { readonly edge: EdgeInScope; readonly single: Item }[] = [];
  for (const edge of edges) {
    const [item, single] = [jointOf(edge), apart.get(nameOf(edge))];
    const together = item ? jointDetail(item, edge.from) : null;
    if (single && (together?.order ?? '') <= (single['g']?.S ?? '')) newerApart.push({ edge, single });
    else if (together) found.push(foundOn(edge, unpack(together.detail) as EdgeDetail));
  }
  const read = await inParallel(inFlight, newerApart, async ({ edge, single }) => {
    const detail = await singleDetailOf(target, single);
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
  // Read first: nearly all that a run could have said it never did.
  const { joint, singles } = await stored(store, workspace, ends);
  const ofRun = ends.flatMap((one) => {
    const together = jointOrder(joint.get(jointKey(workspace, one).sk), one.from) ?? '';
    const apart = singles.get(singleKey(workspace, one).sk)?.['g']?.S ?? '';
    const newest = [together, apart].sort().at(-1) as Order;
    return newest.includes(run) ? [{ ...one, newest }] : [];
  });
  // What stood behind it goes too, or it would come back as the newest.
  await forgetTogether(store, workspace, joint, ofRun, () => true);
  const apart = ofRun.filter((one) => singles.has(singleKey(workspace, one).sk));
  await inParallel(inFlight, apart, (one) => forgetSingleUpTo(store, singleKey(workspace, one), one.newest));
  return ofRun.map(({ edge }) => edge);
}

async function forgetUpTo(
  store: Store,
  workspace: WorkspaceId,
  edges: readonly EdgeInScope[],
  order: Order,
): Promise<void> {
  const { joint, singles } = await stored(store, workspace, edges);
  await forgetTogether(store, workspace, joint, edges, (one) => one <= order);
  const apart = edges.filter((edge) => singles.has(singleKey(workspace, edge).sk));
  await inParallel(inFlight, apart, (edge) => forgetSingleUpTo(store, singleKey(workspace, edge), order));
}

const jointOrder = (item: Item | undefined, from: NodeId) => (item ? jointDetail(item, from)?.order : undefined);

/** What is kept of edges, read consistently. */
async function stored(store: Store, workspace: WorkspaceId, edges: readonly EdgeInScope[]) {
  const joint = await readJoint(
    store,
    edges.map((edge) => jointKey(workspace, edge)),
    true,
  );
  const apart = edges.filter((edge) => joint.get(jointKey(workspace, edge).sk)?.[wide]);
  const keys = apart.map((edge) => singleKey(workspace, edge));
  const items = await batchGet(store.table, keys, { consistent: true, attributes: ['sk', 'g'] });
  return { joint, singles: new Map(items.map((item) => [item['sk']?.S ?? '', item])) };
}

async function forgetTogether(
  store: Store,
  workspace: WorkspaceId,
  joint: ReadonlyMap<string, Item>,
  edges: readonly EdgeInScope[],
  isOver: (order: Order) => boolean,
): Promise<void> {
  const groups = Map.groupBy(edges, (edge) => jointKey(workspace, edge).sk);
  await inParallel(inFlight, [...groups], async ([sk, group]) => {
    const [item, [first]] = [joint.get(sk), group];
    if (!item || !first) return;
    const key: Key = jointKey(workspace, first);
    await forgetJoint(
      store,
      key,
      item,
      group.map(({ from }) => from),
      isOver,
    );
  });
}

const jointLength = nodeIdLength + 1 + scopeIdLength;
const nameOf = ({ from, to, scope }: EdgeInScope): string => `${from}${to}${scope}`;
const endOf = (sk: string) => ({
  to: sk.slice(0, nodeIdLength) as NodeId,
  scope: sk.slice(nodeIdLength + 1, jointLength) as ScopeId,
});
const edgeOf = (item: Item): EdgeInScope => {
  const sk = item['sk']?.S ?? '';
  return { ...endOf(sk), from: sk.slice(jointLength + 1, jointLength + 1 + nodeIdLength) as NodeId };
};
