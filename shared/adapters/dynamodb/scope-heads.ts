import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { ScopeKind } from '../../domain/graph/claim.ts';
import { type ScopeId, scopeId } from '../../domain/graph/ids.ts';
import { type Order, snapshotOrder, zeroOrder } from '../../domain/graph/order.ts';
import type { ScopeHead, ScopeIdentity, ScopeStore } from '../../domain/graph/ports.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { connectorScopePrefix, scopeHeadIndex, scopeHeadKey, scopeOrderKey } from './keys/graph-keys.ts';
import type { ListingStore } from './scope-order-item.ts';
import { scopeOrders } from './scope-orders.ts';
import type { Table } from './table.ts';
import { transact, transactedUpdate } from './transact.ts';
import { type UpdateExpression, updateItem } from './update-item.ts';

/** Scope heads and their history over the table. */
export function scopeStore(table: Table, listings: ListingStore): ScopeStore {
  return {
    register: (workspace, identity) => register(table, workspace, identity),
    heads: async (workspace, scopes, options) => {
      const keys = scopes.map((scope) => scopeHeadKey(workspace, scope));
      return (await batchGet(table, keys, options)).map(headOf);
    },
    ofConnector: (workspace, connector, limit) => headsOfConnector(table, workspace, connector, limit),
    start: async (workspace, scope, order) => {
      await updateHead(table, workspace, scope, {
        UpdateExpression: 'SET started = :o',
        ConditionExpression: 'attribute_not_exists(started) OR started < :o',
        ExpressionAttributeValues: { ':o': { S: order } },
      });
    },
    commit: (workspace, scope, commit) => commitOrder(table, workspace, scope, commit),
    // `started = order`: a partial delivery since the last commit would otherwise survive the snapshot.
    commitUnchanged: (workspace, scope, { order, digest, at }) =>
      updateHead(table, workspace, scope, {
        UpdateExpression: 'SET #order = :o, started = :o, committed_at = :at',
        ConditionExpression: '#order < :o AND digest = :d AND started = #order',
        ExpressionAttributeNames: { '#order': 'order' },
        ExpressionAttributeValues: { ':o': { S: order }, ':d': { S: digest }, ':at': { S: at } },
      }),
    ...scopeOrders(table, listings),
  };
}

/** Registers each scope once a process: an observed scope is named by every event of its job. */
export function registeringOnce(store: ScopeStore): ScopeStore {
  const known = new LRUCache<string, true>({ max: 100_000 });
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
      ':sort': { S: `${identity.scopeKey.slice(0, 200)}#${identity.scope}` },
      ':key': { S: identity.scopeKey },
      ':kind': { S: identity.kind },
      ':type': { S: identity.providerType },
      ':instance': { S: identity.providerInstanceId },
    },
  };
}

async function register(table: Table, workspace: WorkspaceId, identity: ScopeIdentity): Promise<void> {
  const { fields, names, values } = identityFields(workspace, identity);
  await updateHead(table, workspace, identity.scope, {
    UpdateExpression: `SET ${fields}`,
    ConditionExpression: 'attribute_not_exists(scope_key)',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  });
}

/** The head raises its floor and the order's record says since when it holds: history never knows one without the other. */
async function commitOrder(
  table: Table,
  workspace: WorkspaceId,
  scope: ScopeId,
  { order, digest, at }: Parameters<ScopeStore['commit']>[2],
): Promise<boolean> {
  const values = { ':o': order, ':at': at, ...(digest !== null && { ':d': digest }) };
  return transact(table, [
    transactedUpdate(table, scopeHeadKey(workspace, scope), {
      UpdateExpression: `SET #order = :o, #floor = :o, committed_at = :at${digest === null ? '' : ', digest = :d'}`,
      ConditionExpression: 'attribute_not_exists(#order) OR #order < :o',
      ExpressionAttributeNames: { '#order': 'order', '#floor': 'floor' },
      ExpressionAttributeValues: attributes(values),
    }),
    transactedUpdate(table, scopeOrderKey(workspace, scope, order), {
      UpdateExpression: 'SET effective_at = :at',
      ExpressionAttributeValues: attributes({ ':at': at }),
    }),
  ]);
}

/** Whether the head took the update: false where its condition did not hold. */
const updateHead = async (
  table: Table,
  workspace: WorkspaceId,
  scope: ScopeId,
  expression: UpdateExpression,
): Promise<boolean> => (await updateItem(table, scopeHeadKey(workspace, scope), expression)).refused === null;

async function headsOfConnector(
  table: Table,
  workspace: WorkspaceId,
  connector: ConnectorId,
  limit: number,
): Promise<ScopeHead[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :index AND begins_with(gsi1sk, :prefix)',
      ExpressionAttributeValues: {
        ':index': { S: scopeHeadIndex(workspace) },
        ':prefix': { S: connectorScopePrefix(connector) },
      },
      Limit: limit,
    }),
  );
  return Items.map(headOf);
}

function headOf(item: Item): ScopeHead {
  const text = (name: string) => item[name]?.S ?? null;
  const order = (name: string) => (text(name) ?? zeroOrder) as Order;
  const scopeKey = text('scope_key') ?? '';
  return {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: text('kind') as ScopeKind,
    providerType: text('provider_type') ?? '',
    providerInstanceId: text('provider_instance_id') ?? '',
    order: order('order'),
    floor: order('floor'),
    started: order('started'),
    digest: text('digest'),
    committedAt: text('committed_at'),
  };
}
