import { PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import type { Order } from '../../domain/graph/order.ts';
import type { DeadOrder, Listing, ScopeStore } from '../../domain/graph/ports.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Item } from './batch-get.ts';
import { pruneIndex, scopeOrderKey } from './keys.ts';
import { pack, unpack } from './packed.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Where listings too long for an item are kept. */
export type ListingStore = {
  readonly put: (workspace: WorkspaceId, scope: ScopeId, order: Order, listing: Listing) => Promise<string>;
  readonly get: (key: string) => Promise<Listing>;
};

/** Listings of more edges go beside the table: an item takes 400 KB, and every read of history would pay for them. */
const edgesInline = 1_000;

type OrderStore = Pick<ScopeStore, 'recordOrder' | 'orders' | 'history' | 'retire' | 'retired' | 'pruned'>;

/** The history of scopes: one item an order. */
export function scopeOrders(table: Table, listings: ListingStore): OrderStore {
  return {
    recordOrder: async (workspace, scope, { order, complete, at, listing, retracted }) => {
      const inline = listing.edges.length <= edgesInline;
      await table.client.send(
        new PutItemCommand({
          TableName: table.name,
          Item: {
            ...keyItem(workspace, scope, order),
            complete: { BOOL: complete },
            at: { S: at },
            retracted: { N: String(retracted) },
            ...(inline
              ? { edges: pack(listing) }
              : { listing: { S: await listings.put(workspace, scope, order, listing) } }),
          },
        }),
      );
    },
    orders: async (workspace, scope, from) => {
      const items = await query(table, workspace, scope, from);
      return inParallel(8, items, async (item) => ({
        ...pastOrder(item),
        retracted: Number(item['retracted']?.N ?? 0),
        listing: item['listing']?.S ? await listings.get(item['listing'].S) : (unpack(item['edges']) as Listing),
      }));
    },
    history: async (workspace, scope, from) =>
      (await query(table, workspace, scope, from, ['sk', 'complete', 'at'])).map(pastOrder),
    retire: async (dead, at) => {
      await inParallel(8, dead, async (one) => {
        // An order that was pruned has a time to live, and one that is gone needs no pruning.
        await updateItem({ table }, scopeOrderKey(one.workspace, one.scope, one.order), {
          UpdateExpression: 'SET gsi2pk = :index, gsi2sk = :at, dead = :dead',
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#ttl)',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':index': { S: pruneIndex }, ':at': { S: at }, ':dead': pack(one) },
        });
      });
    },
    retired: async (limit) => {
      const answer = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'gsi2',
          KeyConditionExpression: 'gsi2pk = :index',
          ExpressionAttributeValues: { ':index': { S: pruneIndex } },
          Limit: limit,
        }),
      );
      return (answer.Items ?? []).map((item) => unpack(item['dead']) as DeadOrder);
    },
    pruned: async ({ workspace, scope, order }, expiresAt) => {
      await table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: keyItem(workspace, scope, order),
          UpdateExpression: 'SET #ttl = :expires REMOVE gsi2pk, gsi2sk, dead',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':expires': { N: String(expiresAt) } },
        }),
      );
    },
  };
}

function keyItem(workspace: WorkspaceId, scope: ScopeId, order: Order): { pk: { S: string }; sk: { S: string } } {
  const { pk, sk } = scopeOrderKey(workspace, scope, order);
  return { pk: { S: pk }, sk: { S: sk } };
}

const pastOrder = (item: Item) => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  complete: item['complete']?.BOOL ?? false,
  at: item['at']?.S ?? '',
});

async function query(
  table: Table,
  workspace: WorkspaceId,
  scope: ScopeId,
  from: Order,
  attributes?: readonly string[],
): Promise<Item[]> {
  const { pk, sk } = scopeOrderKey(workspace, scope, from);
  const found: Item[] = [];
  let start: Item | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :end',
        ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: sk }, ':end': { S: 'H#~' } },
        ConsistentRead: true,
        ...(attributes && {
          ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(', '),
          ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
        }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    found.push(...(answer.Items ?? []));
    start = answer.LastEvaluatedKey;
  } while (start);
  return found;
}
