import type { ProjectDelivery } from '../../../contract/messages.ts';
import type { ReadWriteLock } from '../../base/concurrency.ts';
import { OutOfTime } from '../../base/time/timestamp.ts';
import { type AttemptMode, abortAttempt, attemptModeOf, beginAttempt, findOpen } from '../ingest/deliveries/attempt.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, failDelivery, finishDelivery } from '../ingest/deliveries/finish-delivery.ts';
import type { DeliveryStore, PayloadStore, ProjectionQueue } from '../ingest/deliveries/ports.ts';
import type { ActivityLog } from '../providers/activity.ts';
import { byNames, type NamingPorts } from './by-names.ts';
import { failureOf, isItemFailure } from './interpret-items.ts';
import { type ContentPorts, projectContent } from './project-content.ts';
import { recordSnapshotStatus, type SnapshotLog } from './snapshot-status.ts';
import { type Touched, watchTouched } from './touched-nodes.ts';

export type WorkerPorts = ContentPorts &
  NamingPorts & {
    readonly deliveries: DeliveryStore;
    readonly payloads: Pick<PayloadStore, 'stream'>;
    readonly activity: ActivityLog;
    readonly snapshots: SnapshotLog;
    readonly queue: ProjectionQueue;
    /** Of all attempts of this process. */
    readonly lock: ReadWriteLock;
    /** Told what a projected delivery touched; never throws. */
    readonly onTouched: (delivery: Delivery, touched: Touched, generation: number) => Promise<void>;
    /** Called for a delivery that an attempt ended. */
    readonly onProjected: (delivery: Delivery, now: Date) => void;
    /** Called for an attempt that broke, which is tried again. */
    readonly onAttemptFailed: (delivery: Delivery, error: unknown) => void;
  };

/**
 * Works one accepted delivery to an end. May be asked twice, out of order and concurrently with itself: the bytes are read again,
 * every write of the graph is commutative, and only an open delivery is ended.
 * @throws OutOfTime where it is too late to begin
 */
export async function projectDelivery(
  ports: WorkerPorts,
  message: ProjectDelivery,
  { receiveCount, timeIsUp = () => false }: { readonly receiveCount: number; readonly timeIsUp?: () => boolean },
): Promise<void> {
  const delivery = await findOpen(ports, message);
  if (!delivery) return;
  const mode = attemptModeOf(delivery, receiveCount);
  await ports.lock[mode](async () => {
    // It may have waited long to be alone, or for one that was.
    if (timeIsUp()) throw new OutOfTime();
    const current = mode === 'exclusive' ? await findOpen(ports, message) : delivery;
    if (current) await attempt(ports, current, mode);
  });
}

async function attempt(ports: WorkerPorts, open: Delivery, mode: AttemptMode): Promise<void> {
  const delivery = await beginAttempt(ports, open, { mode, now: ports.clock.now() });
  if (!delivery) return;
  try {
    const watched = watchTouched(ports);
    const { outcome, generation } = await work(watched.ports, delivery);
    await recordSnapshotStatus(ports, delivery, outcome);
    const now = ports.clock.now();
    if (await finishDelivery(ports, { ...delivery, generation }, outcome, now)) ports.onProjected(delivery, now);
    await ports.onTouched(delivery, watched.touched, generation);
  } catch (error) {
    ports.onAttemptFailed(delivery, error);
    const now = ports.clock.now();
    // What no further attempt can do better is not tried again.
    if (isItemFailure(error)) await failDelivery(ports, delivery, now, failureOf(error));
    else await abortAttempt(ports, delivery, { failure: failureOf(error), now });
  }
}

const work = (ports: WorkerPorts, delivery: Delivery): Promise<{ outcome: DeliveryOutcome; generation: number }> =>
  byNames(ports, delivery, async ({ connectors, forgotten, graph, say }) => {
    const payload = await ports.payloads.stream(delivery);
    return projectContent({ ...ports, forgotten, say }, { ...delivery, workspace_id: graph }, payload, connectors);
  });
