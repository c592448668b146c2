import { inParallel } from '../../concurrency/in-parallel.ts';
import { attemptsUsedUp } from '../../ingest/deliveries/attempt.ts';
import { countedAttempts, type Delivery } from '../../ingest/deliveries/delivery.ts';
import { failDelivery } from '../../ingest/deliveries/finish-delivery.ts';
import {
  type DeliveryStore,
  type DueDeliveries,
  messageOf,
  type ProjectionQueue,
} from '../../ingest/deliveries/ports.ts';
import { dueAfterResend, maxAttempts } from '../../ingest/deliveries/schedule.ts';
import type { ActivityLog } from '../../providers/activity.ts';

export type ResendPorts = {
  readonly due: DueDeliveries;
  readonly deliveries: DeliveryStore;
  readonly activity: ActivityLog;
  readonly queue: ProjectionQueue;
  /** Called for a send that failed: the delivery comes due again. */
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
};

type ResendSummary = {
  /** Messages sent again. */
  readonly resent: number;
  /** Deliveries given up. */
  readonly failed: number;
  /** Sends that failed: their deliveries come due again. */
  readonly unsent: number;
};

/** The rest waits for the next run. */
const deliveriesPerRun = 1_600;
const inFlight = 16;

/**
 * Sends open deliveries again whose message was lost or broke its worker, ever more rarely, and gives up those that
 * were begun too often. An open receipt is due until it ends, so nothing that was accepted is stuck.
 */
export async function resendDue(ports: ResendPorts, now: Date): Promise<ResendSummary> {
  const due = await ports.due.due(now.toISOString(), deliveriesPerRun);
  const outcomes = await inParallel(inFlight, due, (delivery) => resend(ports, delivery, now));
  const count = (outcome: ResendOutcome) => outcomes.filter((one) => one === outcome).length;
  return { resent: count('resent'), failed: count('failed'), unsent: count('unsent') };
}

type ResendOutcome = 'resent' | 'failed' | 'unsent' | 'taken';

async function resend(ports: ResendPorts, delivery: Delivery, now: Date): Promise<ResendOutcome> {
  if (countedAttempts(delivery) >= maxAttempts) {
    return (await failDelivery(ports, delivery, now, attemptsUsedUp)) ? 'failed' : 'taken';
  }
  // Taken before it is sent: two sweeps at once send one message.
  const taken = await ports.due.reschedule(delivery, now.toISOString(), dueAfterResend(now, delivery.resends));
  if (!taken) return 'taken';
  try {
    await ports.queue.send(messageOf(delivery));
    return 'resent';
  } catch (error) {
    ports.onSendFailed(delivery, error);
    return 'unsent';
  }
}
