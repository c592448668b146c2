import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { GraphId, ScopeId } from '../../../../domain/lineage/graph/node.ts';
import { type Order, zeroOrder } from '../../../../domain/lineage/graph/order.ts';
import type { RetiredOrder, ScopeOrder, ScopeStore } from '../../../../domain/lineage/graph/scope-store.ts';
import { forgetIndexes, forgetKey, pruneIndexes, pruneKey, scopeEndKey, scopeOrderKey } from '../../keys/graph-keys.ts';
import type { Key } from '../../keys/registry-keys.ts';
import { attributes, batchGet, deleteItem, getItem, type Item, projected } from '../../requests/items.ts';
import { pack, unpack } from '../../requests/parts.ts';
import { between, dueIn, queryAll, queryEach, queryPages } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';
import { changing, exists, type UpdateExpression, updateItem } from '../../requests/update-item.ts';
import { type ListingStore, listedOn, listingKeysOn, pastOrder, scopeEnds, scopeOrderOf } from './scope-ends.ts';

type OrderReader = Pick<ScopeStore, 'recorded' | 'predecessor' | 'orders' | 'history' | 'partials' | 'ends'>;
type OrderStore = OrderReader &
  Pick<ScopeStore, 'recordOrder' | 'forget' | 'retire' | 'retired' | 'pruned' | 'unretire' | 'expired'>;

export function scopeOrders(table: Table, listings: ListingStore): OrderStore {
  return {
    recordOrder: (graph, scope, record) => recordOrder(table, listings, { graph, scope }, record),
    ...scopeOrderReader(table, listings),
    ...retiredOrders(table),
    forget: async ({ graph, scope, order }) => {
      const key = scopeOrderKey(graph, scope, order);
      const [item] = await batchGet(table, [key], { consistent: true, attributes: ['listing', 'also'] });
      // The record last: one that is gone would leave the others to nobody.
      for (const listing of listingKeysOn(item ?? {})) await listings.remove(listing);
      await deleteItem(table, scopeEndKey(graph, scope, order));
      await deleteItem(table, key);
    },
  };
}

export function scopeOrderReader(table: Table, listings: Pick<ListingStore, 'get'>): OrderReader {
  return {
    orders: async (graph, scope, from) => {
      const items = await ordersFrom(table, scopeOrderKey(graph, scope, from));
      return inParallel(8, items, (item) => scopeOrderOf(listings, item));
    },
    recorded: async (graph, scope, order) => {
      const item = await getItem(table, scopeOrderKey(graph, scope, order));
      return item ? scopeOrderOf(listings, item) : null;
    },
    predecessor: (graph, scope, order) => predecessor(table, graph, scope, order),
    history: async (graph, scope, from) =>
      (await ordersFrom(table, scopeOrderKey(graph, scope, from), pastAttributes)).map(pastOrder),
    ends: scopeEnds(table),
    partials: async (graph, scope, orders) => {
      const keys = orders.map((order) => scopeOrderKey(graph, scope, order));
      // Consistent: a claim is read as soon as it is written, and its record is hardly older.
      const items = await batchGet(table, keys, { consistent: true, attributes: ['sk', 'complete', 'at'] });
      const found = items.map(pastOrder);
      return new Map(
        found.flatMap(({ order, complete, at }) => (complete || at === null ? [] : [[order, at] as const])),
      );
    },
  };
}

/** An order's neighbours are nearly always complete: the first few decide. */
const ordersPerQuery = 4;

async function predecessor(table: Table, graph: GraphId, scope: ScopeId, order: Order): Promise<Order | null> {
  const [{ pk, sk: last }, { sk: first }] = [
    scopeOrderKey(graph, scope, order),
    scopeOrderKey(graph, scope, zeroOrder),
  ];
  const newestFirst = queryAll(table, {
    ...between(pk, first, last),
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

const pastAttributes = ['sk', 'complete', 'at', 'effective_at', 'floor', 'delivery'];

async function ordersFrom(table: Table, { pk, sk }: Key, attributes?: readonly string[]): Promise<Item[]> {
  const query = {
    ...between(pk, sk, 'H#~'),
    ConsistentRead: true,
    ...(attributes && projected(attributes)),
  };
  return queryEach(table, query, (item) => item);
}

/** Dead orders, by the due index: those whose claims are to be pruned, and those whose claims are to be forgotten. */
function retiredOrders(table: Table): Pick<OrderStore, 'retire' | 'retired' | 'pruned' | 'unretire' | 'expired'> {
  return {
    retire: async (retired, { at, again = false }) => {
      await inParallel(8, retired, async (one) => {
        const change = changing({
          set: { ...attributes(pruneKey(one.scope, at)), dead: pack(one) },
          remove: ['pruned'],
          // An order that is gone needs no pruning, and one that was pruned only where its load went on after that.
          where: [exists, ...(again ? [] : [{ name: 'pruned', is: 'missing' } as const])],
        });
        await updateItem(table, scopeOrderKey(one.graph, one.scope, one.order), change);
      });
    },
    retired: () => dueOrders(table, pruneIndexes, ''),
    pruned: async ({ graph, scope, order }, forgetAt) => {
      const set = attributes({ pruned: true, ...forgetKey(scope, forgetAt) });
      await updateItem(table, scopeOrderKey(graph, scope, order), changing({ set, where: [exists] }));
    },
    unretire: async ({ graph, scope, order }) => {
      const change = changing({ remove: ['gsi2pk', 'gsi2sk', 'dead'], where: [exists] });
      await updateItem(table, scopeOrderKey(graph, scope, order), change);
    },
    expired: (now) => dueOrders(table, forgetIndexes, now),
  };
}

const retiredPerQuery = 40;

/** Orders of all indexes, a query's worth of each at a time: one index does not keep the others waiting. */
async function* dueOrders(table: Table, indexes: readonly string[], until: string): AsyncGenerator<RetiredOrder[]> {
  let open = indexes.map((index) => retiredIn(table, index, until));
  while (open.length > 0) {
    const read = await Promise.all(open.map(async (pages) => ({ pages, next: await pages.next() })));
    const going = read.filter(({ next }) => !next.done);
    yield going.flatMap(({ next }) => next.value ?? []);
    open = going.map(({ pages }) => pages);
  }
}

async function* retiredIn(table: Table, index: string, until: string): AsyncGenerator<RetiredOrder[]> {
  const query = { ...dueIn(index, until), ProjectionExpression: 'dead', Limit: retiredPerQuery };
  for await (const items of queryPages(table, query)) yield items.map(({ dead }) => unpack(dead) as RetiredOrder);
}

/** Listings of more edges are objects of the bucket: an item takes 400 KB, and every read of history would pay for them. */
const maxInlineEdges = 1_000;

/** Records an order before its claims. Another attempt's record stays beside it, since it may have been claimed. */
async function recordOrder(
  table: Table,
  listings: ListingStore,
  { graph, scope }: { readonly graph: GraphId; readonly scope: ScopeId },
  record: ScopeOrder,
): Promise<void> {
  const { order, content, listing } = record;
  const isInline = listing.edges.length <= maxInlineEdges;
  const values: Record<string, AttributeValue> = {
    ...valuesOf(record),
    ...(isInline
      ? { edges: pack(listing) }
      : { listing: { S: await listings.put(graph, scope, `${order}-${content}`, listing) } }),
  };
  const key = scopeOrderKey(graph, scope, order);
  const { refused } = await updateItem(table, key, recording(values, null));
  if (refused !== null) await recordBeside(table, key, values, refused);
}

const valuesOf = ({
  complete,
  at,
  content,
  retracted,
  changes,
  warnings,
  deliveryId,
}: ScopeOrder): Record<string, AttributeValue> => ({
  complete: { BOOL: complete },
  at: { S: at },
  content: { S: content },
  retracted: { N: String(retracted) },
  delivery: { S: deliveryId },
  ...(changes && { changes: pack(changes) }),
  ...(warnings.length > 0 && { warnings: pack(warnings) }),
});

/** Another attempt was there: what it listed is moved aside, and nobody's is lost however many there are. */
async function recordBeside(table: Table, key: Key, values: Item, found: Item): Promise<void> {
  if (found['effective_at']) return;
  const { refused } = await updateItem(table, key, recording(values, found));
  if (refused !== null) await recordBeside(table, key, values, refused);
}

function recording(values: Item, replaced: Item | null): UpdateExpression {
  const names = Object.keys(values);
  const other = values['edges'] ? 'listing' : 'edges';
  const sets = names.map((name) => `#${name} = :${name}`);
  const isSame = replaced === null ? 'attribute_not_exists(pk) OR content = :content' : 'content = :before';
  return {
    UpdateExpression: `SET ${[...sets, ...(replaced ? ['also = list_append(if_not_exists(also, :none), :also)'] : [])].join(', ')} REMOVE ${other}`,
    // Set and not put: another worker of the same delivery may have retired the order meanwhile.
    ConditionExpression: `attribute_not_exists(effective_at) AND (${isSame})`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, values[name] ?? { NULL: true }])),
      ...(replaced && {
        ':also': { L: [{ M: listedOn(replaced) }] },
        ':none': { L: [] },
        ':before': replaced['content'] ?? { NULL: true },
      }),
    },
  };
}
