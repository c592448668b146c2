import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Notification } from '../../contract/notification-messages.ts';
import { isResolved } from '../../contract/unresolved-reasons.ts';
import type { DeliveryState } from '../../contract/vocabulary.ts';
import type { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import type { Finish } from '../../domain/ingest/deliveries/ports.ts';
import { announcementPut } from './announcements.ts';
import { attributes, withoutDefaults } from './delivery-item.ts';
import { deliveryCountersKey, deliveryKey, heldKey, quarantineKey } from './keys/delivery-keys.ts';
import { pack } from './packed.ts';
import { expiryAttribute, expiryOf, type KeptDays } from './receipt-expiry.ts';
import type { Table } from './table.ts';
import { transact, transactedUpdate } from './transact.ts';
import { updateItem } from './update-item.ts';

/**
 * Ends a delivery where it is in one of the states `from`, adds to its provider's counters in the same step, and leaves
 * what is told of it to be announced: what was counted once is in a state that never opens again.
 */
export async function finishItem(
  table: Table,
  delivery: Delivery,
  from: readonly DeliveryState[],
  { told, keptDays, ...finish }: Finish & { readonly told: Notification | null; readonly keptDays: KeptDays },
): Promise<boolean> {
  const expiresAt = endExpiryOf(delivery, finish, keptDays);
  if (finish.quarantined.length > 0) await putQuarantine(table, delivery, finish, expiresAt);
  const ending = endingOf(delivery, from, { ...finish, ttl: expiresAt });
  const invalid = finish.invalid_item_count;
  const unresolved = finish.unresolved.reduce(
    (total, { reason, count }) => (isResolved(reason) ? total : total + count),
    0,
  );
  const { workspace_id, delivery_id, provider_instance_id } = delivery;
  const key = deliveryKey(workspace_id, delivery_id);
  // Most deliveries add nothing to the counters, and a transaction costs twice.
  const counted = invalid > 0 || unresolved > 0;
  if (!counted && told === null) return (await updateItem(table, key, ending)).refused === null;
  const counters = transactedUpdate(table, deliveryCountersKey(workspace_id, provider_instance_id, delivery_id), {
    UpdateExpression: 'ADD invalid_item_count :invalid, unresolved_asset_count :unresolved',
    ExpressionAttributeValues: attributes({ ':invalid': invalid, ':unresolved': unresolved }),
  });
  return transact(table, [
    transactedUpdate(table, key, ending),
    ...(counted ? [counters] : []),
    ...(told ? [announcementPut(table, workspace_id, told)] : []),
  ]);
}

/** Before the delivery says that it has some; whoever works the same bytes again finds the same. */
async function putQuarantine(
  table: Table,
  { workspace_id, delivery_id }: Delivery,
  { quarantined }: Finish,
  expiresAt: number | null,
): Promise<void> {
  const { pk, sk } = quarantineKey(workspace_id, delivery_id);
  const Item = { pk: { S: pk }, sk: { S: sk }, items: pack(quarantined), ...expiryAttribute(expiresAt) };
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
}

/** The days run from the end, so that no open or held delivery goes; what declared something has a time of effect. */
const endExpiryOf = (delivery: Delivery, { completed_at, effective_at }: Finish, keptDays: KeptDays): number | null =>
  completed_at === null || effective_at !== null ? null : expiryOf(delivery, completed_at, keptDays);

/** What the receipt says of its end, and when it goes. */
type Ending = Finish & { readonly ttl: number | null };

function endingOf(delivery: Delivery, from: readonly DeliveryState[], { quarantined, ...finish }: Ending) {
  const { workspace_id, delivery_id, received_at } = delivery;
  const isHeld = finish.state === 'held';
  const values = withoutDefaults({
    ...finish,
    has_quarantine: quarantined.length > 0,
    ...(isHeld && heldKey(workspace_id, delivery_id, received_at)),
  });
  return {
    UpdateExpression: `SET ${values.map((_, i) => `#n${i} = :v${i}`).join(', ')} REMOVE open_attempt${isHeld ? '' : ', gsi2pk, gsi2sk'}`,
    ConditionExpression: `#state IN (${from.map((_, i) => `:s${i}`).join(', ')})`,
    ExpressionAttributeNames: {
      '#state': 'state',
      ...Object.fromEntries(values.map(([name], i) => [`#n${i}`, name])),
    },
    ExpressionAttributeValues: attributes({
      ...Object.fromEntries(values.map(([, value], i) => [`:v${i}`, value])),
      ...Object.fromEntries(from.map((state, i) => [`:s${i}`, state])),
    }),
  };
}
