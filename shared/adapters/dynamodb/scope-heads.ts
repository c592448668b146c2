import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { type Order, snapshotOrder } from '../../domain/graph/order.ts';
import { type ScopeHead, type ScopeIdentity, type ScopeStore, scopePlace } from '../../domain/graph/scope-store.ts';
import { lruCache } from '../../domain/lru-cache.ts';
import { batchGet } from './batch-get.ts';
import { beginningWith } from './beginning-with.ts';
import { connectorScopePrefix, scopeHeadIndex, scopeHeadKey } from './keys/graph-keys.ts';
import { scopeCommits } from './scope-commits.ts';
import { headOf } from './scope-head-item.ts';
import type { ListingStore } from './scope-order-item.ts';
import { scopeOrderReader, scopeOrders } from './scope-orders.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

type ScopeReader = Pick<ScopeStore, 'heads' | 'ofConnector' | 'listed'> & ReturnType<typeof scopeOrderReader>;

/** The same for those who change nothing. */
export const scopeReader = (table: Table, listings: Pick<ListingStore, 'get'>): ScopeReader => ({
  ...headReader(table),
  ...scopeOrderReader(table, listings),
});

const headReader = (table: Table): Pick<ScopeStore, 'heads' | 'ofConnector' | 'listed'> => ({
  heads: async (workspace, scopes, options) => {
    const keys = scopes.map((scope) => scopeHeadKey(workspace, scope));
    return (await batchGet(table, keys, options)).map(headOf);
  },
  ofConnector: (workspace, connector, limit) => headsOfConnector(table, workspace, connector, limit),
  listed: (workspace, range) => listedHeads(table, workspace, range),
});

/** Scope heads and their history over the table. */
export function scopeStore(table: Table, listings: ListingStore): ScopeStore {
  return {
    register: (workspace, identity) => register(table, workspace, identity),
    ...headReader(table),
    ...scopeCommits(table),
    ...scopeOrders(table, listings),
  };
}

/** Registers each scope once a process: an observed scope is named by every event of its job. */
export function registeringOnce(store: ScopeStore): ScopeStore {
  const known = lruCache<string, true>(100_000);
  return {
    ...store,
    register: async (workspace, identity) => {
      const name = `${workspace} ${identity.scope}`;
      if (known.has(name)) return;
      await store.register(workspace, identity);
      known.set(name, true);
    },
  };
}

/**
 * Hands out the next order of a snapshot scope: orders are those of acceptance, whatever order deliveries are worked
 * in. Counts the complete snapshots among them.
 */
export async function takeOrder(
  table: Table,
  workspace: WorkspaceId,
  identity: ScopeIdentity,
  complete = false,
): Promise<Order> {
  const { fields, names, values } = identityFields(workspace, identity);
  const { item } = await updateItem(table, scopeHeadKey(workspace, identity.scope), {
    UpdateExpression: `SET ${fields} ADD seq :one${complete ? ', snapshots :one' : ''}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ':one': { N: '1' } },
    ReturnValues: 'UPDATED_NEW',
  });
  return snapshotOrder(Number(item?.['seq']?.N));
}

function identityFields(workspace: WorkspaceId, identity: ScopeIdentity) {
  return {
    fields:
      'gsi1pk = :index, gsi1sk = :sort, scope_key = :key, #kind = :kind, provider_type = :type, provider_instance_id = :instance',
    names: { '#kind': 'kind' },
    values: {
      ':index': { S: scopeHeadIndex(workspace) },
      // An index key holds 1,024 bytes, a scope key may be longer.
      ':sort': { S: scopePlace(identity) },
      ':key': { S: identity.scopeKey },
      ':kind': { S: identity.kind },
      ':type': { S: identity.providerType },
      ':instance': { S: identity.providerInstanceId },
    },
  };
}

async function register(table: Table, workspace: WorkspaceId, identity: ScopeIdentity): Promise<void> {
  const { fields, names, values } = identityFields(workspace, identity);
  await updateItem(table, scopeHeadKey(workspace, identity.scope), {
    UpdateExpression: `SET ${fields}`,
    ConditionExpression: 'attribute_not_exists(scope_key)',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  });
}

async function headsOfConnector(
  table: Table,
  workspace: WorkspaceId,
  connector: ConnectorId,
  limit: number,
): Promise<ScopeHead[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...beginningWith({ pk: scopeHeadIndex(workspace), sk: connectorScopePrefix(connector) }, 'gsi1'),
      Limit: limit,
    }),
  );
  return Items.map(headOf);
}

async function listedHeads(
  table: Table,
  workspace: WorkspaceId,
  { prefix, after, limit }: Parameters<ScopeStore['listed']>[1],
): Promise<ScopeHead[]> {
  const range = beginningWith({ pk: scopeHeadIndex(workspace), sk: prefix }, 'gsi1');
  // No key of the list has a space after a whole other one.
  const first = after === null ? {} : { ':first': { S: `${after} ` } };
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...range,
      ExpressionAttributeValues: { ...range.ExpressionAttributeValues, ...first },
      Limit: limit,
    }),
  );
  return Items.map(headOf);
}
