import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import type { DeliveryState } from '../../../contract/vocabulary.ts';
import type { Connector } from '../../identity/connector.ts';
import type { Delivery } from '../../ingest/deliveries/delivery.ts';
import type { DeliveryPosition, DeliveryStore, PayloadStore } from '../../ingest/deliveries/ports.ts';
import { type ContentPorts, projectContent } from '../../projection/project-content.ts';

/** What was accepted, and how it is configured. */
export type ReplayInput = {
  readonly deliveries: Pick<DeliveryStore, 'list' | 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  readonly connectors: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
};

type Replayed = {
  readonly replayed: number;
  /** Held, refused or failed: nothing of them is in the graph. */
  readonly left_out: number;
  /** Not worked yet: a graph that is live may hold a part of them. */
  readonly open: number;
};

const inGraph: readonly DeliveryState[] = ['projected', 'partially_projected', 'superseded'];
const open: readonly DeliveryState[] = ['accepted', 'processing'];
const deliveriesPerPage = 200;

/**
 * Works every delivery of a workspace that took effect into the graph behind `target` again, oldest first and at the
 * times at which it took effect, so that history comes out as it was.
 */
export async function replay(source: ReplayInput, target: ContentPorts, workspace: WorkspaceId): Promise<Replayed> {
  const connectors = await source.connectors(workspace);
  const counts = { replayed: 0, left_out: 0, open: 0 };
  for (const id of await oldestFirst(source, workspace)) {
    const delivery = await source.deliveries.get(workspace, id);
    if (!delivery) continue;
    if (open.includes(delivery.state)) counts.open++;
    else if (inGraph.includes(delivery.state)) {
      await again(source, target, delivery, connectors);
      counts.replayed++;
    } else counts.left_out++;
  }
  return counts;
}

async function again(
  source: ReplayInput,
  target: ContentPorts,
  delivery: Delivery,
  connectors: readonly Connector[],
): Promise<void> {
  const then = delivery.completed_at ?? delivery.received_at;
  const ports = { ...target, clock: { now: () => new Date(then) } };
  // It has passed the shrink guard already, whatever stood there then.
  await projectContent(ports, { ...delivery, released: true }, await source.payloads.stream(delivery), connectors);
}

async function oldestFirst({ deliveries }: ReplayInput, workspace: WorkspaceId): Promise<DeliveryId[]> {
  const ids: DeliveryId[] = [];
  let after: DeliveryPosition | null = null;
  do {
    const page = await deliveries.list(workspace, { state: null, connectorId: null, limit: deliveriesPerPage, after });
    ids.push(...page.items.map(({ delivery_id }) => delivery_id));
    after = page.next;
  } while (after);
  return ids.reverse();
}
