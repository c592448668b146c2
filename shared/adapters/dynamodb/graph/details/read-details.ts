import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import {
  type DetailVersion,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type FoundDetail,
} from '../../../../domain/graph/detail-store.ts';
import { type NodeId, shardOf } from '../../../../domain/graph/ids.ts';
import type { Order } from '../../../../domain/graph/order.ts';
import type { NodeRange } from '../../../../domain/graph/page-reader.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import { afterNode, edgeDetailShard } from '../../keys/graph-keys.ts';
import { unpackShared } from '../../packed.ts';
import { queryAll } from '../../query-all.ts';
import { downstreamOf, edgeOf, inFlight, isItemKey, itemKey, overflowKey, type Store } from './detail-items.ts';
import { nodeDetail, nodeDetailEdges, overflowed, readNodeDetails } from './node-details.ts';
import { overflowDetailOf, overflowVersions } from './overflow-details.ts';
import { currentVersion } from './replace-details.ts';
import { newestFirst, replacedAttribute, replacedIn } from './replaced-details.ts';

/** An edge and the item of its downstream end's details, where there is one. */
type Stored = { readonly edge: EdgeInScope; readonly item: Item | undefined };

export async function readEdges(store: Store, edges: readonly EdgeInScope[]): Promise<FoundDetail[]> {
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

export async function readRange(store: Store, { first, last }: NodeRange): Promise<FoundDetail[]> {
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
  const edges = new Map([...inline, ...overflow.map(edgeOf)].map((edge) => [edgeInScopeName(edge), edge]));
  const stored = [...edges.values()].map((edge) => ({ edge, item: items.get(itemKey(store, edge).sk) }));
  return newest(store, stored, overflow);
}

/** Of a detail in its node's item and one in an item of its own, the newer. */
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

/** What was replaced in items, each read once. */
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
