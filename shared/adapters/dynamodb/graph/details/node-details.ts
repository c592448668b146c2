import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { LRUCache } from 'lru-cache';
import { sortedBy } from '../../../../domain/base/collections.ts';
import type { DetailVersion, EdgeDetail, EdgeInScope } from '../../../../domain/lineage/graph/derivation.ts';
import {
  type GraphId,
  type NodeId,
  nodeIdLength,
  type ScopeId,
  scopeIdLength,
} from '../../../../domain/lineage/graph/node.ts';
import type { Order } from '../../../../domain/lineage/graph/order.ts';
import { edgeDetailKey, nodeDetailsKey } from '../../keys/graph-keys.ts';
import type { Key } from '../../keys/registry-keys.ts';
import type { ChangeTogether, KnownItems } from '../../requests/batched-changes.ts';
import { batchGet, getItem, type Item } from '../../requests/items.ts';
import { packedBytes, unpack } from '../../requests/parts.ts';
import { beginningWith, queryPages } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';
import {
  type Change,
  changing,
  equal,
  type UpdateExpression,
  updateItem,
  writeStamp,
} from '../../requests/update-item.ts';
import { deleteIfUnchanged } from '../retire/forget.ts';

/** What loading snapshots replaced: readers see it until one takes effect. One value, because details are alike. */
export const replacedAttribute = 'p';

/**
 * One item holds the details of all edges to a node under one scope: `g<from>` the order of one, `m<from>` the detail.
 * Once it has become too large to be written as a whole it has overflowed (`wide`): later details
 * are stored one an item, earlier ones stay, and of two details of an edge the newer order counts. It goes with its last detail.
 */
export const overflowed = 'wide';
const nodeDetailAttribute = {
  order: (from: NodeId) => `g${from}`,
  detail: (from: NodeId) => `m${from}`,
} as const;
const ownAttributes: ReadonlySet<string> = new Set(['pk', 'sk', 'w', replacedAttribute]);

/** A write costs a unit a KB of the item, a read a half of one for 4 KB. */
export const maxNodeDetailBytes = 16_384;
export const maxWriteUnits = 24;
/** An expression holds 4 KB and 300 operators. */
export const edgesPerUpdate = 40;

export type Packed = { readonly from: NodeId; readonly order: Order; readonly detail: AttributeValue };

export function nodeDetail(item: Item, from: NodeId): { order: Order; detail: AttributeValue } | null {
  const [order, detail] = [item[nodeDetailAttribute.order(from)]?.S, item[nodeDetailAttribute.detail(from)]];
  return order === undefined || detail === undefined ? null : { order: order as Order, detail };
}

export const nodeDetailEdges = (item: Item): NodeId[] =>
  Object.keys(item).flatMap((name) =>
    name.length > overflowed.length && name.startsWith('g') ? (name.slice(1) as NodeId) : [],
  );

export const nodeDetailsItem = (details: readonly Packed[]): Item => ({
  w: writeStamp(),
  ...Object.fromEntries(
    details.flatMap(({ from, order, detail }) => [
      [nodeDetailAttribute.order(from), { S: order }],
      [nodeDetailAttribute.detail(from), detail],
    ]),
  ),
});

/** Keeps the details that are newer than what is there; answers those that it may not take, because the item is overflowed. */
export async function putNodeDetails(table: Table, key: Key, details: readonly Packed[]): Promise<readonly Packed[]> {
  let pending = details;
  let units = 0;
  while (pending.length > 0) {
    const now = pending.slice(0, edgesPerUpdate);
    const answer = await updateItem(table, key, changing(replacing(now)));
    if (answer.refused === null) {
      pending = pending.slice(now.length);
      units = answer.units;
      continue;
    }
    const { refused } = answer;
    if (refused[overflowed]) return pending;
    pending = pending.filter(({ from, order }) => (nodeDetail(refused, from)?.order ?? '') < order);
  }
  if (units > maxWriteUnits) await markOverflowed(table, key);
  return [];
}

/** Puts details in place of older ones, unless the item has overflowed. */
export const replacing = (details: readonly Packed[]): Change => ({
  set: nodeDetailsItem(details),
  where: [
    { name: overflowed, is: 'missing' },
    ...details.map(
      ({ from, order }) =>
        ({ name: nodeDetailAttribute.order(from), is: '<', value: { S: order }, orMissing: true }) as const,
    ),
  ],
});

export async function markOverflowed(table: Table, key: Key): Promise<void> {
  await updateItem(table, key, changing({ set: { w: writeStamp(), [overflowed]: { BOOL: true } }, where: [] }));
}

/** Deletes an empty overflowed item without overflow items. Writers beside it mark it afterwards, so none is lost. */
export async function forgetMark(table: Table, key: Key): Promise<void> {
  const item = await getItem(table, key);
  if (!item?.[overflowed] || nodeDetailEdges(item).length > 0) return;
  const besideIt = beginningWith({ ...key, sk: `${key.sk}#` });
  const beside = queryPages(table, { ...besideIt, ConsistentRead: true, Limit: 1 });
  for await (const some of beside) if (some.length > 0) return;
  await deleteIfUnchanged(table, key, item);
}

type Ended = { readonly edges: readonly NodeId[]; readonly hasEnded: (order: Order) => boolean };

const endedIn = (item: Item, { edges, hasEnded }: Ended) =>
  edges.flatMap((from) => {
    const order = nodeDetail(item, from)?.order;
    return order !== undefined && hasEnded(order) ? [{ from, order }] : [];
  });

export function endsWith(item: Item, ended: Ended): boolean {
  const removed = new Set(
    endedIn(item, ended).flatMap(({ from }) => [nodeDetailAttribute.order(from), nodeDetailAttribute.detail(from)]),
  );
  return removed.size > 0 && Object.keys(item).every((name) => ownAttributes.has(name) || removed.has(name));
}

export async function forgetNodeDetails(table: Table, key: Key, read: Item, ended: Ended): Promise<void> {
  let item: Item | undefined = read;
  while (item) {
    const over = endedIn(item, ended);
    if (over.length === 0) return;
    const { refused, item: left } = await updateItem(table, key, removing(item, over.slice(0, edgesPerUpdate)));
    item = refused ?? left ?? undefined;
    if (refused === null && left && Object.keys(left).every((name) => ownAttributes.has(name))) {
      await deleteIfUnchanged(table, key, left);
      return;
    }
    // A refusal without an item: somebody has deleted it.
    if (item && Object.keys(item).length === 0) return;
  }
}

function removing(item: Item, details: readonly Pick<Packed, 'from' | 'order'>[]): UpdateExpression {
  const removed = new Set(details.map(({ from }) => from));
  const replaced = replacedIn(item);
  const left = replaced.filter(({ from }) => !removed.has(from));
  const retained = left.length < replaced.length ? packedVersions(left) : undefined;
  const change: Change = {
    set: { w: writeStamp(), ...(retained && { [replacedAttribute]: retained }) },
    remove: [
      ...details.flatMap(({ from }) => [nodeDetailAttribute.order(from), nodeDetailAttribute.detail(from)]),
      ...(retained === null ? [replacedAttribute] : []),
    ],
    where: [
      ...details.map(({ from, order }) => equal(nodeDetailAttribute.order(from), { S: order })),
      ...(retained === undefined ? [] : [equal(replacedAttribute, item[replacedAttribute])]),
    ],
  };
  return { ...changing(change), ReturnValues: 'ALL_NEW' };
}

/** The items of details by their sort keys, read consistently: what is removed follows from them. */
export async function readNodeDetails(table: Table, keys: readonly Key[], consistent: boolean) {
  const unique = [...new Map(keys.map((key) => [key.sk, key])).values()];
  const items = await batchGet(table, unique, { consistent });
  return new Map(items.map((item) => [item['sk']?.S ?? '', item]));
}

export const inFlight = 24;

export type Store = {
  readonly table: Table;
  readonly graph: GraphId;
  /** Sort keys of items that have overflowed: none ever fits again. */
  readonly overflowedItems: LRUCache<string, true>;
};

export type WrittenStore = Store & {
  readonly known: KnownItems;
  readonly changeTogether: ChangeTogether;
};

export const itemKey = ({ graph }: Store, { to, scope }: Pick<EdgeInScope, 'to' | 'scope'>): Key =>
  nodeDetailsKey(graph, to, scope);
export const overflowKey = ({ graph }: Store, { from, to, scope }: EdgeInScope): Key =>
  edgeDetailKey(graph, from, to, scope);

const itemKeyLength = nodeIdLength + 1 + scopeIdLength;

export const isItemKey = (sk: string): boolean => sk.length === itemKeyLength;

export const downstreamOf = (sk: string): Pick<EdgeInScope, 'to' | 'scope'> => ({
  to: sk.slice(0, nodeIdLength) as NodeId,
  scope: sk.slice(nodeIdLength + 1, itemKeyLength) as ScopeId,
});

export const edgeOf = (item: Item): EdgeInScope => {
  const sk = item['sk']?.S ?? '';
  return { ...downstreamOf(sk), from: sk.slice(itemKeyLength + 1, itemKeyLength + 1 + nodeIdLength) as NodeId };
};

/** Whether an order before the one that is written has taken effect. */
export type HasTakenEffect = (order: Order) => boolean;

export type VersionOfEdge = DetailVersion & { readonly from: NodeId };

/** What is longer is not kept: it is in an item beside up to 350,000 bytes. */
const maxBytes = 40_000;
/** Of one edge: more come only of snapshots that begin and do not end. */
const mostVersions = 8;

export function replacedIn(item: Item): readonly VersionOfEdge[] {
  const attribute = item[replacedAttribute];
  if (!attribute) return [];
  const stored = unpack(attribute) as readonly (readonly [NodeId, Order, EdgeDetail])[];
  return stored.map(([from, order, detail]) => ({ from, order, detail }));
}

/** Null where nothing is to be kept. */
export function packedVersions(versions: readonly VersionOfEdge[]): AttributeValue | null {
  if (versions.length === 0) return null;
  const B = packedBytes(versions.map(({ from, order, detail }) => [from, order, detail]));
  return B.length > maxBytes ? null : { B };
}

export const newestFirst = <T extends { readonly order: Order }>(versions: readonly T[]): T[] =>
  sortedBy(versions, ({ order }) => order).reverse();

/** The versions of one edge that readers may still see: newest first, down to the first that has taken effect. */
export function visibleVersions(
  versions: readonly VersionOfEdge[],
  hasTakenEffect: HasTakenEffect,
): readonly VersionOfEdge[] {
  const inEffect = versions.findIndex(({ order }) => hasTakenEffect(order));
  const last = inEffect < 0 ? versions.length : inEffect + 1;
  const remaining = versions.slice(1, last);
  return remaining.length > mostVersions
    ? [...remaining.slice(0, mostVersions - 1), ...remaining.slice(-1)]
    : remaining;
}
