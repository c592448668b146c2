import type { ProjectDelivery } from '../../contract/messages.ts';
import type { ActivityLog } from '../providers/activity.ts';
import { type Delivery, isOpen } from './delivery.ts';
import { failDelivery } from './finish-delivery.ts';
import { type DeliveryStore, messageOf, type ProjectionQueue } from './ports.ts';
import { backoffSeconds, dueAfterBegin, maxAttempts } from './schedule.ts';

type BeginPorts = { readonly deliveries: DeliveryStore; readonly activity: ActivityLog };

/**
 * The delivery that a message asks to work, or null where there is nothing to do: it was ended before, or was begun
 * too often, which ends it as failed. `receiveCount` is how often the queue handed this message out.
 */
export async function beginAttempt(
  ports: BeginPorts,
  { workspace_id, delivery_id }: ProjectDelivery,
  { receiveCount, now }: { readonly receiveCount: number; readonly now: Date },
): Promise<Delivery | null> {
  const delivery = await ports.deliveries.get(workspace_id, delivery_id);
  if (!delivery || !isOpen(delivery)) return null;
  const attempts = Math.max(delivery.attempts + 1, receiveCount);
  if (attempts > maxAttempts) {
    await failDelivery(ports, delivery, now, attemptsUsedUp);
    return null;
  }
  // The first attempt at a small delivery is over at once: saying that it began would cost more than the work.
  if (delivery.kind === 'openlineage_event' && attempts === 1) return { ...delivery, state: 'processing', attempts };
  return ports.deliveries.begin(workspace_id, delivery_id, { attempts, dueAt: dueAfterBegin(now) });
}

export const attemptsUsedUp = {
  code: 'attempts_used_up',
  message: `The delivery could not be worked in ${maxAttempts} attempts.`,
} as const;

/** Ends an attempt that broke: sent again after a while, or failed where it was the last one. Answers which. */
export async function breakOffAttempt(
  ports: BeginPorts & { readonly queue: ProjectionQueue },
  delivery: Delivery,
  now: Date,
): Promise<'again' | 'failed'> {
  if (delivery.attempts >= maxAttempts) {
    await failDelivery(ports, delivery, now, attemptsUsedUp);
    return 'failed';
  }
  const delaySeconds = backoffSeconds(delivery.attempts);
  const retryAt = new Date(now.getTime() + delaySeconds * 1_000);
  const { workspace_id, delivery_id, attempts } = delivery;
  // Recorded before the message is sent: the attempt counts even where the next worker sees no trace of it.
  await ports.deliveries.begin(workspace_id, delivery_id, { attempts, dueAt: dueAfterBegin(retryAt) });
  await ports.queue.send(messageOf(delivery), { delaySeconds });
  return 'again';
}
