import type { DeliveryWarning } from '../../../../contract/deliveries.ts';
import type { ProjectDelivery } from '../../../../contract/messages.ts';
import type { ActivityLog } from '../../providers/activity.ts';
import {
  backoffSeconds,
  countedAttempts,
  type Delivery,
  dueAfterBegin,
  dueAfterSend,
  isOpen,
  maxAttempts,
} from './delivery.ts';
import { failDelivery } from './finish-delivery.ts';
import { type DeliveryStore, type DueDeliveries, messageOf, type ProjectionQueue } from './ports.ts';

type BeginPorts = { readonly deliveries: DeliveryStore; readonly activity: ActivityLog };

/** How an attempt is made: concurrently with other deliveries, or alone in its process. */
export type AttemptMode = 'shared' | 'exclusive';

/**
 * Alone where the attempt before ended without a word: it may be this delivery that ends its process, by its memory or
 * its time, and others must not suffer with it (G-DELIVERY-7). `receiveCount` is how often the queue handed this message out.
 */
export const attemptModeOf = ({ open_attempt }: Delivery, receiveCount: number): AttemptMode =>
  open_attempt !== null || receiveCount > 1 ? 'exclusive' : 'shared';

/** The delivery that a message asks to work, or null where it was ended before. */
export async function findOpen(
  { deliveries }: Pick<BeginPorts, 'deliveries'>,
  { workspace_id, delivery_id }: ProjectDelivery,
): Promise<Delivery | null> {
  const delivery = await deliveries.get(workspace_id, delivery_id);
  return delivery && isOpen(delivery) ? delivery : null;
}

/** The open delivery as its next attempt has it; null where it was ended since, or begun too often, which ends it as failed. */
export async function beginAttempt(
  ports: BeginPorts,
  delivery: Delivery,
  { mode, now }: { readonly mode: AttemptMode; readonly now: Date },
): Promise<Delivery | null> {
  const attempts = countedAttempts(delivery) + 1;
  if (attempts > maxAttempts) {
    await failDelivery(ports, delivery, now, attemptsUsedUp);
    return null;
  }
  // The first attempt at a small delivery is over at once: saying that it began would cost more than the work.
  const isBrief =
    delivery.kind === 'openlineage_event' && attempts === 1 && mode === 'shared' && delivery.resends === 0;
  if (isBrief) return { ...delivery, state: 'processing', attempts };
  const { workspace_id, delivery_id } = delivery;
  return ports.deliveries.begin(workspace_id, delivery_id, {
    attempts,
    open_attempt: mode,
    dueAt: dueAfterBegin(now),
  });
}

export const attemptsUsedUp = {
  code: 'attempts_used_up',
  message: `The delivery could not be worked in ${maxAttempts} attempts.`,
} as const;

/** Ends an attempt that broke: sent again after a while, or failed where it was the last one. Answers which. */
export async function abortAttempt(
  ports: BeginPorts & { readonly queue: ProjectionQueue },
  delivery: Delivery,
  { failure, now }: { readonly failure: DeliveryWarning; readonly now: Date },
): Promise<'again' | 'failed'> {
  if (delivery.attempts >= maxAttempts) {
    await failDelivery(ports, delivery, now, failure, attemptsUsedUp);
    return 'failed';
  }
  const delaySeconds = backoffSeconds(delivery.attempts);
  const retryAt = new Date(now.getTime() + delaySeconds * 1_000);
  const { workspace_id, delivery_id, attempts } = delivery;
  // Recorded before the message is sent: the attempt counts even where the next worker sees no trace of it.
  await ports.deliveries.begin(workspace_id, delivery_id, {
    attempts,
    open_attempt: null,
    dueAt: dueAfterBegin(retryAt),
  });
  await ports.queue.send(messageOf(delivery), { delaySeconds });
  return 'again';
}

/**
 * Retracts the attempts that were under way when the service ended as a whole, as a laptop's does: they ended by no
 * fault of any delivery. For a service that has just started, before its first attempt. Answers how many.
 */
export async function retractOpenAttempts(
  { due, deliveries }: { readonly due: DueDeliveries; readonly deliveries: DeliveryStore },
  now: Date,
): Promise<number> {
  const underWay = await due.underWay();
  for (const { workspace_id, delivery_id, attempts } of underWay)
    await deliveries.begin(workspace_id, delivery_id, {
      attempts: attempts - 1,
      open_attempt: null,
      dueAt: dueAfterSend(now),
    });
  return underWay.length;
}
