import { Problem } from '../../../contract/problems.ts';
import type { Delivery } from './delivery.ts';
import { type DeliveryStore, messageOf, type ProjectionQueue } from './ports.ts';
import { dueAfterSend } from './schedule.ts';

type ReopenPorts = {
  readonly deliveries: DeliveryStore;
  readonly queue: ProjectionQueue;
  /** Called for a send that failed: the sweep repeats it, for the delivery is open again. */
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
};

/** Puts a failed delivery back to work, with all its attempts before it. Throws `conflict` in any other state. */
export const retryDelivery = (ports: ReopenPorts, delivery: Delivery, now: Date): Promise<Delivery> =>
  reopen(ports, delivery, { from: 'failed', released: delivery.released }, now);

/** Lets a held snapshot through the shrink guard. Throws `conflict` in any other state. */
export const releaseDelivery = (ports: ReopenPorts, delivery: Delivery, now: Date): Promise<Delivery> =>
  reopen(ports, delivery, { from: 'held', released: true }, now);

async function reopen(
  { deliveries, queue, onSendFailed }: ReopenPorts,
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
