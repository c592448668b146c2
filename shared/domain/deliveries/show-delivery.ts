import type { DeliveryPage, LineageDelivery } from '../../contract/deliveries.ts';
import { DeliveryId, idOrNull, type WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import { type Delivery, deliveryView } from './delivery.ts';
import type { DeliveryFilter, DeliveryPlace, DeliveryStore, PayloadStore } from './ports.ts';

/** The delivery of that id. Throws `not_found`. */
export async function findDelivery(
  { deliveries }: { readonly deliveries: DeliveryStore },
  workspace: WorkspaceId,
  id: string,
): Promise<Delivery> {
  // Ids are derived in lower case, and UUIDs mean the same in either.
  const known = idOrNull(DeliveryId, id.toLowerCase());
  const delivery = known && (await deliveries.get(workspace, known));
  if (!delivery) throw new Problem('not_found');
  return delivery;
}

/** A delivery with what was quarantined of it. */
export async function showDelivery(
  { deliveries }: { readonly deliveries: DeliveryStore },
  delivery: Delivery,
): Promise<LineageDelivery> {
  if (!delivery.has_quarantine) return deliveryView(delivery, []);
  const quarantined = await deliveries.quarantined(delivery.workspace_id, [delivery.delivery_id]);
  return deliveryView(delivery, quarantined.get(delivery.delivery_id) ?? []);
}

/** A page of a workspace's deliveries, newest first. Throws `validation_error` for a cursor that is none of ours. */
export async function showDeliveries(
  { deliveries }: { readonly deliveries: DeliveryStore },
  workspace: WorkspaceId,
  { cursor, ...page }: DeliveryFilter & { readonly limit: number; readonly cursor: string | null },
): Promise<DeliveryPage> {
  const after = cursor === null ? null : placeOf(cursor);
  const { items, next } = await deliveries.list(workspace, { ...page, after });
  const ids = items.filter((item) => item.has_quarantine).map((item) => item.delivery_id);
  const quarantined = await deliveries.quarantined(workspace, ids);
  return {
    workspace_id: workspace,
    items: items.map((item) => deliveryView(item, quarantined.get(item.delivery_id) ?? [])),
    next_cursor: next && cursorOf(next),
  };
}

const cursorOf = ({ received_at, delivery_id }: DeliveryPlace): string =>
  Buffer.from(`${received_at}#${delivery_id}`).toString('base64url');

/** It names a place in the caller's own list alone, whatever it says: it needs no signature. */
function placeOf(cursor: string): DeliveryPlace {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, received_at, delivery_id] = /^(\d{4}-[0-9TZ:.-]{1,30})#([0-9a-f-]{36})$/.exec(text) ?? [];
  if (received_at !== undefined && delivery_id !== undefined) return { received_at, delivery_id };
  throw new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'must be the next_cursor of a page before' }],
  });
}

/** The bytes of a delivery as they were received, and how they were sent. */
export async function showPayload(
  { payloads }: { readonly payloads: PayloadStore },
  delivery: Delivery,
): Promise<{ readonly bytes: AsyncIterable<Uint8Array>; readonly headers: Readonly<Record<string, string>> }> {
  const { content_type, content_encoding } = delivery.payload;
  return {
    bytes: await payloads.stream(delivery),
    headers: {
      'content-type': content_type,
      ...(content_encoding !== null && { 'content-encoding': content_encoding }),
    },
  };
}
