import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import { type Order, zeroOrder } from '../../domain/graph/order.ts';
import type { Listing, PastOrder, RetiredOrder, ScopeOrder, ScopeStore } from '../../domain/graph/ports.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { forgetIndexes, forgetKey, pruneIndexes, pruneKey, scopeOrderKey } from './keys.ts';
import { pack, unpack } from './packed.ts';
import { queryAll, queryPages } from './query-all.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Where listings too long for an item are kept. */
export type ListingStore = {
  readonly put: (workspace: WorkspaceId, scope: ScopeId, order: Order, listing: Listing) => Promise<string>;
  readonly get: (key: string) => Promise<Listing>;
  readonly remove: (key: string) => Promise<void>;
};

/** Listings of more edges go beside the table: an item takes 400 KB, and every read of history would pay for them. */
const edgesInline = 1_000;

type OrderStore = Pick<
  ScopeStore,
  | 'recordOrder'
  | 'recorded'
  | 'predecessor'
  | 'orders'
  | 'history'
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
    recordOrder: async (workspace, scope, { order, complete, at, listing, retracted, warnings, deliveryId }) => {
      const inline = listing.edges.length <= edgesInline;
      const values = {
        complete: { BOOL: complete },
        at: { S: at },
        retracted: { N: String(retracted) },
        ...(deliveryId !== null && { delivery: { S: deliveryId } }),
        ...(warnings.length > 0 && { warnings: pack(warnings) }),
        ...(inline
          ? { edges: pack(listing) }
          : { listing: { S: await listings.put(workspace, scope, order, listing) } }),
      };
      // Set and not put: another worker of the same delivery may have committed the order meanwhile.
      await updateItem(table, scopeOrderKey(workspace, scope, order), {
        UpdateExpression: `SET ${Object.keys(values)
          .map((name) => `#${name} = :${name}`)
          .join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(Object.keys(values).map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, one]) => [`:${name}`, one])),
      });
    },
    orders: async (workspace, scope, from) => {
      const items = await query(table, workspace, scope, from);
      return inParallel(8, items, (item) => scopeOrderOf(listings, item));
    },
    recorded: async (workspace, scope, order) => {
      const [item] = await batchGet(table, [scopeOrderKey(workspace, scope, order)], { consistent: true });
      return item ? scopeOrderOf(listings, item) : null;
    },
    predecessor: (workspace, scope, order) => predecessor(table, workspace, scope, order),
    history: async (workspace, scope, from) =>
      (await query(table, workspace, scope, from, ['sk', 'complete', 'at', 'effective_at', 'delivery'])).map(pastOrder),
    retire: async (retired, { at, again = false }) => {
      await inParallel(8, retired, async (one) => {
        const { gsi2pk, gsi2sk } = pruneKey(one.scope, at);
        // An order that is gone needs no pruning, and one that was pruned only where its load went on after that.
        await updateItem(table, scopeOrderKey(one.workspace, one.scope, one.order), {
          UpdateExpression: 'SET gsi2pk = :index, gsi2sk = :at, dead = :dead REMOVE pruned',
          ConditionExpression: `attribute_exists(pk)${again ? '' : ' AND attribute_not_exists(pruned)'}`,
          ExpressionAttributeValues: { ...attributes({ ':index': gsi2pk, ':at': gsi2sk }), ':dead': pack(one) },
        });
      });
    },
    retired: () => retiredOrders(table, pruneIndexes, null),
    pruned: async ({ workspace, scope, order }, forgetAt) => {
      const { gsi2pk, gsi2sk } = forgetKey(scope, forgetAt);
      await updateItem(table, scopeOrderKey(workspace, scope, order), {
        UpdateExpression: 'SET pruned = :yes, gsi2pk = :index, gsi2sk = :at',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: attributes({ ':yes': true, ':index': gsi2pk, ':at': gsi2sk }),
      });
    },
    unretire: async ({ workspace, scope, order }) => {
      await updateItem(table, scopeOrderKey(workspace, scope, order), {
        UpdateExpression: 'REMOVE gsi2pk, gsi2sk, dead',
        ConditionExpression: 'attribute_exists(pk)',
      });
    },
    expired: (now) => retiredOrders(table, forgetIndexes, now),
    forget: async ({ workspace, scope, order }) => {
      const Key = keyItem(workspace, scope, order);
      const { Item } = await table.client.send(
        new GetItemCommand({ TableName: table.name, Key, ProjectionExpression: 'listing' }),
      );
      // The listing first: a record that is gone would leave it to nobody.
      if (Item?.['listing']?.S) await listings.remove(Item['listing'].S);
      await table.client.send(new DeleteItemCommand({ TableName: table.name, Key }));
    },
  };
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

const retiredPerQuery = 40;

/** Orders of all indexes, a query's worth of each at a time: one index does not keep the others waiting. */
async function* retiredOrders(
  table: Table,
  indexes: readonly string[],
  until: string | null,
): AsyncGenerator<RetiredOrder[]> {
  let open = indexes.map((index) => retiredIn(table, index, until));
  while (open.length > 0) {
    const read = await Promise.all(open.map(async (pages) => ({ pages, next: await pages.next() })));
    const going = read.filter(({ next }) => !next.done);
    yield going.flatMap(({ next }) => next.value ?? []);
    open = going.map(({ pages }) => pages);
  }
}

async function* retiredIn(table: Table, index: string, until: string | null): AsyncGenerator<RetiredOrder[]> {
  const query = {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :index AND gsi2sk <= :until',
    ExpressionAttributeValues: attributes({ ':index': index, ':until': `${until ?? ''}~` }),
    ProjectionExpression: 'dead',
    Limit: retiredPerQuery,
  };
  for await (const items of queryPages(table, query)) yield items.map((item) => unpack(item['dead']) as RetiredOrder);
}

function keyItem(workspace: WorkspaceId, scope: ScopeId, order: Order): { pk: { S: string }; sk: { S: string } } {
  const { pk, sk } = scopeOrderKey(workspace, scope, order);
  return { pk: { S: pk }, sk: { S: sk } };
}

const orderOf = (item: Item) => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  complete: item['complete']?.BOOL ?? false,
  deliveryId: item['delivery']?.S ?? null,
});

const scopeOrderOf = async (listings: ListingStore, item: Item): Promise<ScopeOrder> => ({
  ...orderOf(item),
  at: item['at']?.S ?? '',
  retracted: Number(item['retracted']?.N ?? 0),
  warnings: item['warnings'] ? (unpack(item['warnings']) as ScopeOrder['warnings']) : [],
  listing: item['listing']?.S ? await listings.get(item['listing'].S) : (unpack(item['edges']) as Listing),
});

const pastOrder = (item: Item): PastOrder => {
  const past = orderOf(item);
  return { ...past, at: (past.complete ? item['effective_at']?.S : item['at']?.S) ?? null };
};

async function query(
  table: Table,
  workspace: WorkspaceId,
  scope: ScopeId,
  from: Order,
  attributes?: readonly string[],
): Promise<Item[]> {
  const { pk, sk } = scopeOrderKey(workspace, scope, from);
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
