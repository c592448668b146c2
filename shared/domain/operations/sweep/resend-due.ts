import { inParallel } from '../../base/concurrency.ts';
import {
  countedAttempts,
  type Delivery,
  dueAfterResend,
  maxAttempts,
} from '../../lineage/ingest/deliveries/delivery.ts';
import { attemptsUsedUp, failDelivery } from '../../lineage/ingest/deliveries/finish-delivery.ts';
import {
  type BulkQueue,
  type DeliveryStore,
  type DueDeliveries,
  messageOf,
} from '../../lineage/ingest/deliveries/ports.ts';
import type { ActivityLog } from '../../lineage/providers/activity.ts';

export type ResendPorts = {
  readonly due: DueDeliveries;
  readonly deliveries: DeliveryStore;
  readonly activity: ActivityLog;
  readonly queue: BulkQueue;
  /** Called for a send that failed: the delivery comes due again. */
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
};

/** As many requests at once as a client has sockets. */
const [listsInFlight, deliveriesInFlight] = [8, 16];

/** Resends lost work ever more rarely and fails what was begun too often. Runs may overlap; the next finishes. */
export async function resendDue(ports: ResendPorts, now: Date, timeIsUp: () => boolean = () => false) {
  // Unsent deliveries come due again; `cutShort` is 1 if the time was up before the end of the due list.
  const total = { resent: 0, failed: 0, unsent: 0, cutShort: 0 };
  await inParallel(listsInFlight, await ports.due.lists(), async (list) => {
    if (timeIsUp()) total.cutShort = 1;
    else
      for await (const page of ports.due.due(list, now)) {
        const { resent, failed, unsent } = await resendPage(ports, page, now);
        total.resent += resent;
        total.failed += failed;
        total.unsent += unsent;
        if (timeIsUp()) {
          total.cutShort = 1;
          break;
        }
      }
  });
  return total;
}

async function resendPage(ports: ResendPorts, page: readonly Delivery[], now: Date) {
  const outcomes = await inParallel(deliveriesInFlight, page, (delivery) => take(ports, delivery, now));
  const used = new Map(page.flatMap((one, index) => (outcomes[index] === 'taken' ? [[messageOf(one), one]] : [])));
  let unsent = 0;
  await ports.queue.sendAll([...used.keys()], (message, error) => {
    const delivery = used.get(message);
    unsent++;
    if (delivery) ports.onSendFailed(delivery, error);
  });
  return { resent: used.size - unsent, failed: outcomes.filter((one) => one === 'failed').length, unsent };
}

/** Takes a delivery to be sent, before it is: of two sweeps at once one sends it. */
async function take(ports: ResendPorts, delivery: Delivery, now: Date): Promise<'taken' | 'failed' | 'left'> {
  if (countedAttempts(delivery) >= maxAttempts)
    return (await failDelivery(ports, delivery, now, attemptsUsedUp)) ? 'failed' : 'left';
  const dueAt = dueAfterResend(now, delivery.resends);
  return (await ports.due.reschedule(delivery, now.toISOString(), dueAt)) ? 'taken' : 'left';
}
