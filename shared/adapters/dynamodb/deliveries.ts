import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { QuarantinedItem } from '../../contract/deliveries.ts';
import type { DeliveryId, WorkspaceId } from '../../contract/ids.ts';
import { type Delivery, openStates } from '../../domain/ingest/deliveries/delivery.ts';
import type { DeliveryStore } from '../../domain/ingest/deliveries/ports.ts';
import { batchGet } from './batch-get.ts';
import { batchedItems } from './batched-items.ts';
import { attributes, deliveryOf, itemOf } from './delivery-item.ts';
import { listDeliveries } from './delivery-list.ts';
import { finishItem } from './finish-delivery.ts';
import { deliveryKey, dueKey, keyedContentKey, quarantineKey } from './keys/delivery-keys.ts';
import { enlist } from './listed-deliveries.ts';
import { unpack } from './packed.ts';
import { expiryOf, type KeptDays } from './receipt-expiry.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Deliveries over the table, for those who change nothing. */
export const deliveryReader = (table: Table): Pick<DeliveryStore, 'get' | 'quarantined' | 'list'> => ({
  get: async (workspace, id) => {
    const [item] = await batchGet(table, [deliveryKey(workspace, id)], { consistent: true });
    return item ? deliveryOf(item) : null;
  },
  quarantined: (workspace, ids) => quarantined(table, workspace, ids),
  list: (workspace, page) => listDeliveries(table, workspace, page),
});

/** Deliveries over the table. Who accepts or ends some says for how many days receipts of run events are kept. */
export function deliveryStore(table: Table, keptDays: KeptDays = null): DeliveryStore {
  return {
    ...deliveryReader(table),
    enlist: (delivery, deflated) => enlist(table, delivery, deflated, keptDays),
    open: (delivery, dueAt) => open(table, delivery, dueAt),
    nameContent: (delivery, contentId) => nameContent(table, delivery, contentId, keptDays),
    countDuplicate: async (workspace, id) => {
      await updateItem(table, deliveryKey(workspace, id), {
        UpdateExpression: 'ADD duplicate_count :one',
        // The receipt may have gone since it was read: what would be made here is none.
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      });
    },
    begin: (workspace, id, attempt) => begin(table, workspace, id, attempt),
    finish: (delivery, from, finish, told = null) => finishItem(table, delivery, from, { ...finish, told, keptDays }),
    placeIn: async (workspace, id, generation) => {
      await updateItem(table, deliveryKey(workspace, id), {
        UpdateExpression: 'SET generation = :generation',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: attributes({ ':generation': generation }),
      });
    },
    reopen: (workspace, id, change) => reopen(table, workspace, id, change),
  };
}

/** Looks up for all who ask in one turn of the event loop by one read, as a worker does for the messages of a batch. */
export function batchedDeliveries(table: Table): Pick<DeliveryStore, 'get'> {
  const read = batchedItems(table);
  return {
    get: async (workspace, id) => {
      const item = await read(deliveryKey(workspace, id));
      return item ? deliveryOf(item) : null;
    },
  };
}

async function open(table: Table, delivery: Delivery, dueAt: string | null): Promise<Delivery | null> {
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: itemOf(delivery, dueAt),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return null;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException && error.Item) return deliveryOf(error.Item);
    throw error;
  }
}

/** The first delivery's id stays, and goes when its receipt does. */
async function nameContent(
  table: Table,
  { workspace_id, delivery_id, ...delivery }: Delivery,
  contentId: DeliveryId,
  keptDays: KeptDays,
): Promise<void> {
  const expiresAt = expiryOf(delivery, delivery.received_at, keptDays);
  await updateItem(table, keyedContentKey(workspace_id, contentId), {
    UpdateExpression: `SET delivery_id = :id${expiresAt === null ? '' : ', #ttl = :ttl'}`,
    ConditionExpression: 'attribute_not_exists(pk)',
    ...(expiresAt !== null && { ExpressionAttributeNames: { '#ttl': 'ttl' } }),
    ExpressionAttributeValues: attributes({ ':id': delivery_id, ':ttl': expiresAt ?? undefined }),
  });
}

async function begin(
  table: Table,
  workspace: WorkspaceId,
  id: DeliveryId,
  { attempts, open_attempt, dueAt }: Parameters<DeliveryStore['begin']>[2],
): ReturnType<DeliveryStore['begin']> {
  const { item } = await updateItem(table, deliveryKey(workspace, id), {
    UpdateExpression:
      'SET #state = :processing, attempts = :attempts, open_attempt = :open, gsi2pk = :due, gsi2sk = :at REMOVE resends',
    ConditionExpression: '#state IN (:s0, :s1)',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: attributes({
      ':processing': 'processing',
      ':attempts': attempts,
      ':open': open_attempt,
      ':s0': openStates[0],
      ':s1': openStates[1],
      ...dueValues(workspace, id, dueAt),
    }),
    ReturnValues: 'ALL_NEW',
  });
  return item && deliveryOf(item);
}

async function reopen(
  table: Table,
  workspace: WorkspaceId,
  id: DeliveryId,
  { from, released, dueAt }: Parameters<DeliveryStore['reopen']>[2],
): ReturnType<DeliveryStore['reopen']> {
  const { item } = await updateItem(table, deliveryKey(workspace, id), {
    UpdateExpression:
      'SET #state = :accepted, released = :released, gsi2pk = :due, gsi2sk = :at REMOVE attempts, open_attempt, resends, completed_at, warnings, #ttl',
    ConditionExpression: '#state = :from',
    ExpressionAttributeNames: { '#state': 'state', '#ttl': 'ttl' },
    ExpressionAttributeValues: attributes({
      ':accepted': 'accepted',
      ':released': released,
      ':from': from,
      ...dueValues(workspace, id, dueAt),
    }),
    ReturnValues: 'ALL_NEW',
  });
  return item && deliveryOf(item);
}

const dueValues = (workspace: WorkspaceId, id: DeliveryId, dueAt: string) => {
  const { gsi2pk, gsi2sk } = dueKey(workspace, id, dueAt);
  return { ':due': gsi2pk, ':at': gsi2sk };
};

async function quarantined(
  table: Table,
  workspace: WorkspaceId,
  ids: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, readonly QuarantinedItem[]>> {
  const items = await batchGet(
    table,
    ids.map((id) => quarantineKey(workspace, id)),
    { consistent: true },
  );
  const byKey = new Map(items.map((item) => [item['pk']?.S, v.parse(v.array(QuarantinedItem), unpack(item['items']))]));
  return new Map(ids.map((id) => [id, byKey.get(quarantineKey(workspace, id).pk) ?? []]));
}
