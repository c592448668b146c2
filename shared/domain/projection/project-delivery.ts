import type { WorkspaceId } from '../../contract/ids.ts';
import type { ProjectDelivery } from '../../contract/messages.ts';
import { beginAttempt, breakOffAttempt } from '../deliveries/attempt.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { finishDelivery, type Outcome } from '../deliveries/finish-delivery.ts';
import type { DeliveryStore, PayloadStore, ProjectionQueue } from '../deliveries/ports.ts';
import { noteSnapshot } from '../gaps/note-snapshot.ts';
import type { SnapshotLog } from '../gaps/snapshot-mark.ts';
import type { Connector } from '../lineage/connector.ts';
import type { ActivityLog } from '../providers/activity.ts';
import { type DeliveryWorkPorts, workDelivery } from './work-delivery.ts';

export type WorkerPorts = DeliveryWorkPorts & {
  readonly deliveries: DeliveryStore;
  readonly payloads: PayloadStore;
  readonly activity: ActivityLog;
  readonly snapshots: SnapshotLog;
  readonly queue: ProjectionQueue;
  readonly connectors: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  readonly time: { readonly now: () => Date };
  /** Told of an attempt that broke, which is tried again. */
  readonly attemptBroke: (delivery: Delivery, error: unknown) => void;
};

/**
 * Works one accepted delivery to an end. May be asked twice, out of order and beside itself: the bytes are read again,
 * every write of the graph is commutative, and only an open delivery is ended.
 */
export async function projectDelivery(
  ports: WorkerPorts,
  message: ProjectDelivery,
  { receiveCount }: { readonly receiveCount: number },
): Promise<void> {
  const delivery = await beginAttempt(ports, message, { receiveCount, now: ports.time.now() });
  if (!delivery) return;
  try {
    const outcome = await work(ports, delivery);
    await noteSnapshot(ports, delivery, outcome);
    await finishDelivery(ports, delivery, outcome, ports.time.now());
  } catch (error) {
    ports.attemptBroke(delivery, error);
    await breakOffAttempt(ports, delivery, ports.time.now());
  }
}

async function work(ports: WorkerPorts, delivery: Delivery): Promise<Outcome> {
  const [payload, connectors] = await Promise.all([
    ports.payloads.stream(delivery),
    ports.connectors(delivery.workspace_id),
  ]);
  return workDelivery(ports, delivery, payload, connectors);
}
