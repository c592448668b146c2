import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import { type Order, zeroOrder } from '../../domain/graph/order.ts';
import type { ScopeStore } from '../../domain/graph/scope-store.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { scopeEndKey, scopeOrderKey } from './keys/graph-keys.ts';
import type { Key } from './keys/key.ts';
import { queryAll } from './query-all.ts';
import { recordOrder } from './record-order.ts';
import { retiredOrders } from './retired-orders.ts';
import { scopeEnds } from './scope-ends.ts';
import { type ListingStore, listingKeysOn, pastOrder, scopeOrderOf } from './scope-order-item.ts';
import type { Table } from './table.ts';

type OrderReader = Pick<ScopeStore, 'recorded' | 'predecessor' | 'orders' | 'history' | 'partials' | 'ends'>;
type OrderStore = OrderReader &
  Pick<ScopeStore, 'recordOrder' | 'retire' | 'retired' | 'pruned' | 'unretire' | 'expired' | 'forget'>;

/** The history of scopes: one item an order. */
export function scopeOrders(table: Table, listings: ListingStore): OrderStore {
  return {
    recordOrder: (workspace, scope, record) => recordOrder(table, listings, { workspace, scope }, record),
    ...scopeOrderReader(table, listings),
    ...retiredOrders(table),
    forget: (dead) => forgetOrder(table, listings, dead),
  };
}

/** The same for those who change nothing. */
export function scopeOrderReader(table: Table, listings: Pick<ListingStore, 'get'>): OrderReader {
  return {
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
    ...scopeEnds(table),
    partials: (workspace, scope, orders) => partials(table, { workspace, scope }, orders),
  };
}

type OfScope = { readonly workspace: WorkspaceId; readonly scope: ScopeId };

async function forgetOrder(table: Table, listings: ListingStore, dead: OfScope & { readonly order: Order }) {
  const { workspace, scope, order } = dead;
  const key = scopeOrderKey(workspace, scope, order);
  const [item] = await batchGet(table, [key], { consistent: true, attributes: ['listing', 'also'] });
  // The record last: one that is gone would leave the others to nobody.
  for (const listing of listingKeysOn(item ?? {})) await listings.remove(listing);
  await deleteItem(table, scopeEndKey(workspace, scope, order));
  await deleteItem(table, key);
}

async function deleteItem(table: Table, { pk, sk }: Key): Promise<void> {
  await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } } }));
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

async function partials(table: Table, { workspace, scope }: OfScope, orders: readonly Order[]) {
  const keys = orders.map((order) => scopeOrderKey(workspace, scope, order));
  // Consistent: a claim is read as soon as it is written, and its record is hardly older.
  const items = await batchGet(table, keys, { consistent: true, attributes: ['sk', 'complete', 'at'] });
  const found = items.map(pastOrder);
  return new Map(found.flatMap(({ order, complete, at }) => (complete || at === null ? [] : [[order, at] as const])));
}

const pastAttributes = ['sk', 'complete', 'at', 'effective_at', 'floor', 'delivery'];

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
