import type { DeliveryId } from '../../../contract/ids.ts';
import type { ScopeId } from '../../../domain/lineage/graph/ids.ts';
import type { Order } from '../../../domain/lineage/graph/order.ts';
import type { SnapshotLog, SnapshotStatus } from '../../../domain/lineage/projection/snapshot-status.ts';
import { snapshotStatusKey } from '../keys/delivery-keys.ts';
import { attributes, type Item } from '../requests/batch-get.ts';
import type { Table } from '../requests/table.ts';
import { type UpdateExpression, updateItem } from '../requests/update-item.ts';

type Feed = Parameters<SnapshotLog['settled']>[0];

/** How snapshots went, over the table: one item a scope of registers that only rise. */
export function snapshotLog(table: Table): SnapshotLog {
  const write = async ({ workspace_id, provider_instance_id }: Feed, scope: ScopeId, expression: UpdateExpression) => {
    await updateItem(table, snapshotStatusKey(workspace_id, provider_instance_id, scope), expression);
  };
  return {
    shrank: (feed, scope, { order, deliveryId, held }) =>
      write(feed, scope, {
        UpdateExpression: 'SET shrank = :order, delivery_id = :delivery, held = :held',
        ConditionExpression: 'attribute_not_exists(shrank) OR shrank < :order',
        ExpressionAttributeValues: attributes({ ':order': order, ':delivery': deliveryId, ':held': held }),
      }),
    unresolved: (feed, scope, { order, deliveryId }) =>
      write(feed, scope, {
        UpdateExpression: 'SET unresolved = :order, unresolved_delivery = :delivery',
        ConditionExpression: 'attribute_not_exists(unresolved) OR unresolved < :order',
        ExpressionAttributeValues: attributes({ ':order': order, ':delivery': deliveryId }),
      }),
    settled: (feed, scope, order) => write(feed, scope, rising('settled', order)),
    released: (feed, scope, order) => write(feed, scope, rising('released', order)),
    clearHeld: (feed, scope, order) =>
      write(feed, scope, {
        UpdateExpression: 'SET held = :no',
        ConditionExpression: 'shrank = :order',
        ExpressionAttributeValues: attributes({ ':no': false, ':order': order }),
      }),
  };
}

const rising = (name: 'settled' | 'released', order: Order): UpdateExpression => ({
  UpdateExpression: `SET ${name} = :order`,
  ConditionExpression: `attribute_not_exists(${name}) OR ${name} < :order`,
  ExpressionAttributeValues: attributes({ ':order': order }),
});

export function snapshotStatusOf(item: Item): SnapshotStatus {
  const order = (name: string) => (item[name]?.S ?? null) as Order | null;
  const [shrank, deliveryId] = [order('shrank'), item['delivery_id']?.S];
  const [unresolved, unresolvedId] = [order('unresolved'), item['unresolved_delivery']?.S];
  return {
    scope: (item['sk']?.S ?? '').split('#')[1] as ScopeId,
    shrank:
      shrank !== null && deliveryId !== undefined
        ? { order: shrank, deliveryId: deliveryId as DeliveryId, held: item['held']?.BOOL ?? false }
        : null,
    unresolved:
      unresolved !== null && unresolvedId !== undefined
        ? { order: unresolved, deliveryId: unresolvedId as DeliveryId }
        : null,
    settled: order('settled'),
    released: order('released'),
  };
}
