import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import { type Order, zeroOrder } from '../../domain/graph/order.ts';
import type { ScopeStore } from '../../domain/graph/ports.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { scopeOrderKey } from './keys/graph-keys.ts';
import type { Key } from './keys/key.ts';
import { pack } from './packed.ts';
import { queryAll } from './query-all.ts';
import { retiredOrders } from './retired-orders.ts';
import { type ListingStore, pastOrder, scopeOrderOf } from './scope-order-item.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Listings of more edges go beside the table: an item takes 400 KB, and every read of history would pay for them. */
const maxInlineEdges = 1_000;

type OrderStore = Pick<
  ScopeStore,
  | 'recordOrder'
  | 'recorded'
  | 'predecessor'
  | 'orders'
  | 'history'
  | 'begunAt'
  | 'retire'
  | 'retired'
  | 'pruned'
  | 'unretire'
  | 'expired'
  | 'forget'
>;

/** The history of scopes: one item an order. */
export function scopeOrders(table: Table, listings: ListingStore): OrderStore {
  return {
    recordOrder: (workspace, scope, record) => recordOrder(table, listings, { workspace, scope }, record),
    orders: async (workspace, scope, from) => {
      const items = await ordersFrom(table, scopeOrderKey(workspace, scope, from));
      return inParallel(8, items, (item) => scopeOrderOf(listings, item));
    },
    recorded: async (workspace, scope, order) => {
      const [item] = await batchGet(table, [scopeOrderKey(workspace, scope, order)], { consistent: true });
      return item ? scopeOrderOf(listings, item) : null;
    },
    predecessor: (workspace, scope, order) => predecessor(table, workspace, scope, order),
    history: async (workspace, scope, from) =>
      (await ordersFrom(table, scopeOrderKey(workspace, scope, from), pastAttributes)).map(pastOrder),
    begunAt: (workspace, scope, orders) => begunAt(table, { workspace, scope }, orders),
    ...retiredOrders(table),
    forget: ({ workspace, scope, order }) => forgetOrder(table, listings, scopeOrderKey(workspace, scope, order)),
  };
}

type OrderRecord = Parameters<ScopeStore['recordOrder']>[2];
type OfScope = { readonly workspace: WorkspaceId; readonly scope: ScopeId };

async function recordOrder(
  table: Table,
  listings: ListingStore,
  { workspace, scope }: OfScope,
  { order, complete, at, listing, retracted, warnings, deliveryId }: OrderRecord,
): Promise<void> {
  const isInline = listing.edges.length <= maxInlineEdges;
  const values = {
    complete: { BOOL: complete },
    at: { S: at },
    retracted: { N: String(retracted) },
    ...(deliveryId !== null && { delivery: { S: deliveryId } }),
    ...(warnings.length > 0 && { warnings: pack(warnings) }),
    ...(isInline ? { edges: pack(listing) } : { listing: { S: await listings.put(workspace, scope, order, listing) } }),
  };
  const names = Object.keys(values);
  // Set and not put: another worker of the same delivery may have committed the order meanwhile.
  await updateItem(table, scopeOrderKey(workspace, scope, order), {
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, one]) => [`:${name}`, one])),
  });
}

async function forgetOrder(table: Table, listings: ListingStore, { pk, sk }: Key): Promise<void> {
  const item = { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } } };
  const { Item } = await table.client.send(new GetItemCommand({ ...item, ProjectionExpression: 'listing' }));
  // The listing first: a record that is gone would leave it to nobody.
  if (Item?.['listing']?.S) await listings.remove(Item['listing'].S);
  await table.client.send(new DeleteItemCommand(item));
}

/** An order's neighbours are nearly always complete: the first few decide. */
const ordersPerQuery = 4;

async function predecessor(table: Table, workspace: WorkspaceId, scope: ScopeId, order: Order): Promise<Order | null> {
  const [{ pk, sk: last }, { sk: first }] = [
    scopeOrderKey(workspace, scope, order),
    scopeOrderKey(workspace, scope, zeroOrder),
  ];
  const newestFirst = queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: attributes({ ':pk': pk, ':first': first, ':last': last }),
    ScanIndexForward: false,
    Limit: ordersPerQuery,
    ConsistentRead: true,
  });
  let own = true;
  for await (const item of newestFirst) {
    const past = pastOrder(item);
    const tookEffect = past.complete && past.at !== null;
    if (own && !(tookEffect && past.order === order)) return null;
    if (!own && tookEffect) return past.order;
    own = false;
  }
  return null;
}

async function begunAt(table: Table, { workspace, scope }: OfScope, orders: readonly Order[]) {
  const keys = orders.map((order) => scopeOrderKey(workspace, scope, order));
  // Consistent: a claim is read as soon as it is written, and its record is hardly older.
  const items = await batchGet(table, keys, { consistent: true, attributes: ['sk', 'at'] });
  return new Map(items.flatMap((item) => (item['at']?.S ? [[pastOrder(item).order, item['at'].S] as const] : [])));
}

const pastAttributes = ['sk', 'complete', 'at', 'effective_at', 'delivery'];

async function ordersFrom(table: Table, { pk, sk }: Key, attributes?: readonly string[]): Promise<Item[]> {
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :end',
    ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: sk }, ':end': { S: 'H#~' } },
    ConsistentRead: true,
    ...(attributes && {
      ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
    }),
  };
  const found: Item[] = [];
  for await (const item of queryAll(table, query)) found.push(item);
  return found;
}
