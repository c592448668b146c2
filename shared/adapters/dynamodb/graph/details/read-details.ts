import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { EdgeDetail, EdgeInScope } from '../../../../domain/graph/detail-store.ts';
import { shardOf } from '../../../../domain/graph/ids.ts';
import type { NodeRange } from '../../../../domain/graph/page-reader.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import { afterNode, edgeDetailShard } from '../../keys/graph-keys.ts';
import { unpack } from '../../packed.ts';
import { queryAll } from '../../query-all.ts';
import {
  downstreamOf,
  edgeName,
  edgeOf,
  inFlight,
  isItemKey,
  itemKey,
  overflowKey,
  type Store,
} from './detail-items.ts';
import { nodeDetail, nodeDetailEdges, overflowed, readNodeDetails } from './node-details.ts';
import { overflowDetailOf } from './overflow-details.ts';

type Found = EdgeInScope & { readonly detail: EdgeDetail };
type Stored = {
  readonly itemOf: (edge: EdgeInScope) => Item | undefined;
  readonly overflow: readonly Item[];
};

export async function readEdges(store: Store, edges: readonly EdgeInScope[]): Promise<Found[]> {
  const keys = edges.map((edge) => itemKey(store, edge));
  const items = await readNodeDetails(store.table, keys, false);
  const itemOf = (edge: EdgeInScope) => items.get(itemKey(store, edge).sk);
  const overflowing = edges.filter((edge) => itemOf(edge)?.[overflowed]).map((edge) => overflowKey(store, edge));
  return newest(store, edges, { itemOf, overflow: await batchGet(store.table, overflowing) });
}

export async function readRange(store: Store, { first, last }: NodeRange): Promise<Found[]> {
  const items = new Map<string, Item>();
  const overflow: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    // Parts are read by those who find that they need them.
    FilterExpression: 'attribute_not_exists(#part)',
    ExpressionAttributeNames: { '#part': 'part' },
    ExpressionAttributeValues: {
      ':pk': { S: edgeDetailShard(store.workspace, shardOf(first)) },
      ':first': { S: first },
      ':last': { S: afterNode(last) },
    },
  };
  for await (const item of queryAll(store.table, query)) {
    const sk = item['sk']?.S ?? '';
    if (isItemKey(sk)) items.set(sk, item);
    else overflow.push(item);
  }
  const inline = [...items].flatMap(([sk, item]) =>
    nodeDetailEdges(item).map((from) => ({ ...downstreamOf(sk), from })),
  );
  const edges = new Map([...inline, ...overflow.map(edgeOf)].map((edge) => [edgeName(edge), edge]));
  return newest(store, [...edges.values()], { itemOf: (edge) => items.get(itemKey(store, edge).sk), overflow });
}

/** Of a detail in its node's item and one in an item of its own, the newer. */
async function newest({ table }: Store, edges: readonly EdgeInScope[], { itemOf, overflow }: Stored): Promise<Found[]> {
  const overflowing = new Map(overflow.map((item) => [edgeName(edgeOf(item)), item]));
  const found: Found[] = [];
  const newerApart: { readonly edge: EdgeInScope; readonly single: Item }[] = [];
  for (const edge of edges) {
    const [item, single] = [itemOf(edge), overflowing.get(edgeName(edge))];
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
