import { lruCache } from '../../../../domain/base/caching.ts';
import type { GraphId } from '../../../../domain/lineage/graph/node.ts';
import { type Order, snapshotOrder, zeroOrder } from '../../../../domain/lineage/graph/order.ts';
import {
  type Commit,
  type ScopeHead,
  type ScopeIdentity,
  type ScopeStore,
  scopePlace,
} from '../../../../domain/lineage/graph/scope-store.ts';
import {
  connectorScopePrefix,
  scopeEndKey,
  scopeHeadIndex,
  scopeHeadKey,
  scopeOrderKey,
} from '../../keys/graph-keys.ts';
import type { Key } from '../../keys/registry-keys.ts';
import { attributes, batchGet, type Item } from '../../requests/items.ts';
import { beginningWith, queryOnce } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';
import { transact, transactedUpdate } from '../../requests/transact.ts';
import { changing, equal, type SingleChange, type UpdateExpression, updateItem } from '../../requests/update-item.ts';
import { claimsEnded, endItem, endsNothing, headOf, type ListingStore } from './scope-ends.ts';
import { scopeOrderReader, scopeOrders } from './scope-orders.ts';

const headReader = (table: Table): Pick<ScopeStore, 'heads' | 'ofConnector' | 'listed'> => ({
  heads: async (graph, scopes, options) => {
    const keys = scopes.map((scope) => scopeHeadKey(graph, scope));
    return (await batchGet(table, keys, options)).map(headOf);
  },
  ofConnector: (graph, connector, limit) =>
    listedHeads(table, graph, { prefix: connectorScopePrefix(connector), after: null, limit }),
  listed: (graph, range) => listedHeads(table, graph, range),
});

/** Apart from the store: the role of a function that only reads has no right to write. */
export const scopeReader = (table: Table, listings: Pick<ListingStore, 'get'>) => ({
  ...headReader(table),
  ...scopeOrderReader(table, listings),
});

export function scopeStore(table: Table, listings: ListingStore): ScopeStore {
  const registered = lruCache<string, true>(100_000);
  return {
    ...scopeOrders(table, listings),
    // Once a process: an observed scope is named by every event of its job.
    register: async (graph, identity) => {
      const name = `${graph} ${identity.scope}`;
      if (registered.has(name)) return;
      const change = changing({ set: identityOf(graph, identity), where: [{ name: 'scope_key', is: 'missing' }] });
      await updateItem(table, scopeHeadKey(graph, identity.scope), change);
      registered.set(name, true);
    },
    ...headReader(table),
    begin: (graph, scope, order) => begin(table, scopeHeadKey(graph, scope), order),
    commit: (graph, scope, commit) => {
      const { order, at, content, end, against } = commit;
      const floor = against === null ? order : (end?.floor ?? zeroOrder);
      const takingEffect = { set: attributes({ effective_at: at, floor }), where: [equal('content', { S: content })] };
      const head = against === null ? raised(commit) : changed(commit, against);
      return transact(table, [
        transactedUpdate(table, scopeHeadKey(graph, scope), head),
        transactedUpdate(table, scopeOrderKey(graph, scope, order), changing(takingEffect)),
        ...(end === null || endsNothing(end) ? [] : [endItem(table, scopeEndKey(graph, scope, order), end)]),
      ]);
    },
    // `started = order`: a partial delivery since the last commit would otherwise survive the snapshot.
    commitUnchanged: async (graph, scope, { order, digest, at, deliveryId }) => {
      const { refused } = await updateItem(table, scopeHeadKey(graph, scope), {
        UpdateExpression: 'SET #order = :o, started = :o, committed_at = :at, restated_by = :by ADD version :one',
        ConditionExpression: '#order < :o AND digest = :d AND started = #order',
        ExpressionAttributeNames: { '#order': 'order' },
        ExpressionAttributeValues: attributes({ ':o': order, ':d': digest, ':at': at, ':by': deliveryId, ':one': 1 }),
      });
      return refused === null;
    },
  };
}

/** Hands out the next order of a snapshot scope, by acceptance and not by work. Counts complete snapshots. */
export async function takeOrder(
  table: Table,
  graph: GraphId,
  identity: ScopeIdentity,
  complete = false,
): Promise<Order> {
  const { item } = await updateItem(table, scopeHeadKey(graph, identity.scope), {
    ...changing({
      set: identityOf(graph, identity),
      ...(complete && { setToNext: { last_snapshot: 'seq' } }),
      add: { seq: one, ...(complete && { snapshots: one }) },
    }),
    ReturnValues: 'UPDATED_NEW',
  });
  return snapshotOrder(Number(item?.['seq']?.N));
}

const one = { N: '1' } as const;

const identityOf = (graph: GraphId, identity: ScopeIdentity): Item => ({
  gsi1pk: { S: scopeHeadIndex(graph) },
  // An index key holds 1,024 bytes, a scope key may be longer.
  gsi1sk: { S: scopePlace(identity) },
  scope_key: { S: identity.scopeKey },
  kind: { S: identity.kind },
  provider_type: { S: identity.providerType },
  provider_instance_id: { S: identity.providerInstanceId },
});

async function listedHeads(
  table: Table,
  graph: GraphId,
  { prefix, after, limit }: Parameters<ScopeStore['listed']>[1],
): Promise<ScopeHead[]> {
  const range = beginningWith({ pk: scopeHeadIndex(graph), sk: prefix }, 'gsi1');
  // No key of the list has a space after a whole other one.
  const first = after === null ? {} : { ':first': { S: `${after} ` } };
  const { Items = [] } = await queryOnce(table, {
    ...range,
    ExpressionAttributeValues: { ...range.ExpressionAttributeValues, ...first },
    Limit: limit,
  });
  return Items.map(headOf);
}

async function begin(table: Table, key: Key, order: Order): Promise<ScopeHead | null> {
  const update = async (change: SingleChange) =>
    (await updateItem(table, key, { ...changing(change), ReturnValues: 'ALL_NEW' })).item;
  const [value, counted] = [{ S: order }, { add: { version: one } }];
  const isNewest = { name: 'started', is: '<=', value, orMissing: true } as const;
  const head =
    (await update({ ...counted, set: { started: value }, where: [isAfterHead(order), isNewest] })) ??
    (await update({ ...counted, where: [isAfterHead(order)] }));
  return head && headOf(head);
}

const isAfterHead = (order: Order) => ({ name: 'order', is: '<', value: { S: order }, orMissing: true }) as const;

/** Everything older than the order is dead. An order that took effect since `end` was made would be missing from history. */
function raised({ order, content, at, end }: Commit): UpdateExpression {
  const continues = end && equal('listed', end.before === zeroOrder ? undefined : { S: end.before });
  return changing({
    set: attributes({ order, floor: order, listed: order, committed_at: at, digest: content }),
    remove: ['removed_at', 'change_orders', 'change_removals'],
    add: { version: one },
    where: [isAfterHead(order), ...(continues ? [continues] : [])],
  });
}

/** What is not removed by name lives on: the scope must be as it was when the change was made. */
function changed({ order, content, at, end }: Commit, against: number): UpdateExpression {
  const removals = end ? claimsEnded(end) : 0;
  return changing({
    set: attributes({
      ...{ order, listed: order, committed_at: at, digest: content },
      ...(removals > 0 && { removed_at: order }),
    }),
    add: attributes({ version: 1, change_orders: 1, change_removals: removals }),
    where: [equal('version', { N: String(against) }), { name: 'order', is: '<', value: { S: order } }],
  });
}
