import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NodeId } from '../../../domain/graph/ids.ts';
import type { Order } from '../../../domain/graph/order.ts';
import { batchGet, type Item } from '../batch-get.ts';
import type { Key } from '../keys.ts';
import { updateItem, written } from '../update-item.ts';
import { deleteUnlessWritten } from './forget.ts';
import type { Target } from './single-details.ts';

/**
 * One item holds the details of all edges to a node under one scope: `g<from>` the order of one, `m<from>` the detail.
 * Once it has become too large to be written as a whole it is `wide`: what comes later stands in an item an edge, what
 * stood in it stays, and of two details the newer order counts. Such an item is never deleted.
 */
export const wide = 'wide';
export const jointAttribute = {
  order: (from: NodeId) => `g${from}`,
  detail: (from: NodeId) => `m${from}`,
} as const;
const bare: ReadonlySet<string> = new Set(['pk', 'sk', 'w']);

/** A write costs a unit a KB of the item, a read a half of one for 4 KB. */
export const mostBytesTogether = 16_384;
const fatWriteUnits = 24;
/** An expression holds 4 KB and 300 operators. */
const edgesAnUpdate = 40;

export type Packed = { readonly from: NodeId; readonly order: Order; readonly detail: AttributeValue };

/** What an item of details says of one edge. */
export function jointDetail(item: Item, from: NodeId): { order: Order; detail: AttributeValue } | null {
  const [order, detail] = [item[jointAttribute.order(from)]?.S, item[jointAttribute.detail(from)]];
  return order === undefined || detail === undefined ? null : { order: order as Order, detail };
}

/** The edges that an item of details speaks of, by their upstream ends. */
export const jointEdges = (item: Item): NodeId[] =>
  Object.keys(item).flatMap((name) =>
    name.length > wide.length && name.startsWith('g') ? (name.slice(1) as NodeId) : [],
  );

/** Keeps the details that are newer than what is there; answers those that it may not take, because the item is wide. */
export async function putJoint(target: Target, key: Key, details: readonly Packed[]): Promise<readonly Packed[]> {
  let pending = details;
  let units = 0;
  while (pending.length > 0) {
    const now = pending.slice(0, edgesAnUpdate);
    const answer = await updateItem(target, key, putting(now));
    if (answer.refused === null) {
      pending = pending.slice(now.length);
      units = answer.units;
      continue;
    }
    const { refused } = answer;
    if (refused[wide]) return pending;
    pending = pending.filter(({ from, order }) => (jointDetail(refused, from)?.order ?? '') < order);
  }
  if (units > fatWriteUnits) await markWide(target, key);
  return [];
}

function putting(details: readonly Packed[]) {
  const each = <T>(text: (i: number) => T): T[] => details.map((_, i) => text(i));
  return {
    UpdateExpression: `SET w = :w, ${each((i) => `#g${i} = :g${i}, #m${i} = :m${i}`).join(', ')}`,
    ConditionExpression: `attribute_not_exists(${wide}) AND ${each((i) => `(attribute_not_exists(#g${i}) OR #g${i} < :g${i})`).join(' AND ')}`,
    ExpressionAttributeNames: namesOf(details),
    ExpressionAttributeValues: {
      ':w': written(),
      ...Object.fromEntries(
        details.flatMap(({ order, detail }, i) => [
          [`:g${i}`, { S: order }],
          [`:m${i}`, detail],
        ]),
      ),
    },
  };
}

const namesOf = (details: readonly Pick<Packed, 'from'>[]) =>
  Object.fromEntries(
    details.flatMap(({ from }, i) => [
      [`#g${i}`, jointAttribute.order(from)],
      [`#m${i}`, jointAttribute.detail(from)],
    ]),
  );

export async function markWide(target: Target, key: Key): Promise<void> {
  await updateItem(target, key, {
    UpdateExpression: `SET w = :w, ${wide} = :true`,
    ExpressionAttributeValues: { ':w': written(), ':true': { BOOL: true } },
  });
}

/** Removes the details that `isOver` says are over, each as it was read, and the item where nothing is left of it. */
export async function forgetJoint(
  target: Target,
  key: Key,
  read: Item,
  edges: readonly NodeId[],
  isOver: (order: Order) => boolean,
): Promise<void> {
  let item: Item | undefined = read;
  while (item) {
    const known: Item = item;
    const over = edges.flatMap((from) => {
      const order = jointDetail(known, from)?.order;
      return order !== undefined && isOver(order) ? [{ from, order }] : [];
    });
    if (over.length === 0) return;
    const { refused, item: left } = await updateItem(target, key, removing(over.slice(0, edgesAnUpdate)));
    item = refused ?? left ?? undefined;
    if (refused === null && left && Object.keys(left).every((name) => bare.has(name))) {
      await deleteUnlessWritten(target.table, key, left);
      return;
    }
    // A refusal without an item: somebody has deleted it.
    if (item && Object.keys(item).length === 0) return;
  }
}

const removing = (details: readonly Pick<Packed, 'from' | 'order'>[]) => ({
  UpdateExpression: `SET w = :w REMOVE ${details.map((_, i) => `#g${i}, #m${i}`).join(', ')}`,
  ConditionExpression: details.map((_, i) => `#g${i} = :g${i}`).join(' AND '),
  ExpressionAttributeNames: namesOf(details),
  ExpressionAttributeValues: {
    ':w': written(),
    ...Object.fromEntries(details.map(({ order }, i) => [`:g${i}`, { S: order }])),
  },
  ReturnValues: 'ALL_NEW' as const,
});

/** The items of details by their sort keys, read consistently: what is removed follows from them. */
export async function readJoint({ table, meter }: Target, keys: readonly Key[], consistent: boolean) {
  const unique = [...new Map(keys.map((key) => [key.sk, key])).values()];
  const items = await batchGet(table, unique, { consistent, ...(meter && { meter }) });
  return new Map(items.map((item) => [item['sk']?.S ?? '', item]));
}
