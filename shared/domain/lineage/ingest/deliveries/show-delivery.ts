import * as v from 'valibot';
import type { DeliveryPage, LineageDelivery } from '../../../../contract/deliveries.ts';
import { DeliveryId, idOrNull, type WorkspaceId } from '../../../../contract/ids.ts';
import { Problem } from '../../../../contract/problems.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import { type Delivery, deliveryView, dueAfterSend } from './delivery.ts';
import {
  type DeliveryFilter,
  type DeliveryStore,
  messageOf,
  type PayloadStore,
  type ProjectionQueue,
} from './ports.ts';

export async function findDelivery(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'get'> },
  workspace: WorkspaceId,
  id: string,
): Promise<Delivery> {
  // Ids are derived in lower case, and UUIDs mean the same in either.
  const known = idOrNull(DeliveryId, id.toLowerCase());
  const delivery = known && (await deliveries.get(workspace, known));
  if (!delivery) throw new Problem('not_found');
  return delivery;
}

export async function showDelivery(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'quarantined'> },
  delivery: Delivery,
): Promise<LineageDelivery> {
  if (!delivery.has_quarantine) return deliveryView(delivery, []);
  const quarantined = await deliveries.quarantined(delivery.workspace_id, [delivery.delivery_id]);
  return deliveryView(delivery, quarantined.get(delivery.delivery_id) ?? []);
}

export async function showDeliveries(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'list' | 'quarantined'> },
  workspace: WorkspaceId,
  { cursor, ...page }: DeliveryFilter & { readonly limit: number; readonly cursor: string | null },
): Promise<DeliveryPage> {
  const listing: BoundList = ['deliveries', workspace, page.state, page.connectorId];
  const after = readCursor(listing, Place, cursor);
  const { items, next } = await deliveries.list(workspace, { ...page, after });
  const ids = items.filter((item) => item.has_quarantine).map((item) => item.delivery_id);
  const quarantined = await deliveries.quarantined(workspace, ids);
  return {
    workspace_id: workspace,
    items: items.map((item) => deliveryView(item, quarantined.get(item.delivery_id) ?? [])),
    next_cursor: next && writeCursor(listing, { received_at: next.received_at, delivery_id: next.delivery_id }),
  };
}

const Place = v.object({
  received_at: v.pipe(v.string(), v.isoTimestamp()),
  delivery_id: v.pipe(v.string(), v.uuid()),
});

export async function showPayload(
  { payloads }: { readonly payloads: Pick<PayloadStore, 'stream'> },
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

export type DeliveryReopener = {
  readonly deliveries: DeliveryStore;
  readonly queue: ProjectionQueue;
  /** Called for a send that failed: the sweep repeats it, for the delivery is open again. */
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
};

/** Puts a failed delivery back to work, with all its attempts before it. Throws `conflict` in any other state. */
export const retryDelivery = (ports: DeliveryReopener, delivery: Delivery, now: Date): Promise<Delivery> =>
  reopen(ports, delivery, { from: 'failed', released: delivery.released }, now);

/** Lets a held snapshot through the shrink guard. Throws `conflict` in any other state. */
export const releaseDelivery = (ports: DeliveryReopener, delivery: Delivery, now: Date): Promise<Delivery> =>
  reopen(ports, delivery, { from: 'held', released: true }, now);

async function reopen(
  { deliveries, queue, onSendFailed }: DeliveryReopener,
  { workspace_id, delivery_id }: Delivery,
  change: { readonly from: 'failed' | 'held'; readonly released: boolean },
  now: Date,
): Promise<Delivery> {
  const opened = await deliveries.reopen(workspace_id, delivery_id, { ...change, dueAt: dueAfterSend(now) });
  if (!opened) {
    throw new Problem('conflict', { message: `Only a delivery in the state ${change.from} can be put back to work.` });
  }
  await queue.send(messageOf(opened)).catch((error: unknown) => onSendFailed(opened, error));
  return opened;
}
