import type { WorkspaceId } from '../../../contract/ids.ts';
import type { DeliveryState } from '../../../contract/vocabulary.ts';
import { type GraphId, graphOf } from '../../lineage/graph/node.ts';
import { nothingForgotten } from '../../lineage/graph/order.ts';
import type { Delivery } from '../../lineage/ingest/deliveries/delivery.ts';
import type { DeliveryPosition, DeliveryStore, PayloadStore } from '../../lineage/ingest/deliveries/ports.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import type { GraphWriters, ProjectionContext } from '../../lineage/projection/ports.ts';
import { projectContent } from '../../lineage/projection/project-content.ts';

export type ReplayInput = {
  readonly deliveries: Pick<DeliveryStore, 'list' | 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  readonly connectors: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
};

const inGraph: readonly DeliveryState[] = ['projected', 'partially_projected', 'superseded'];
const open: readonly DeliveryState[] = ['accepted', 'processing'];
const deliveriesPerPage = 200;

/** Works every effective delivery into `target` again, oldest first and at its time, so that history is the same. */
export async function replay(source: ReplayInput, target: GraphWriters, workspace: WorkspaceId) {
  const context = replayContext(graphOf(workspace, 0), await source.connectors(workspace));
  // Nothing of those left out is in the graph; a graph that is live may hold a part of the open ones.
  const counts = { replayed: 0, left_out: 0, open: 0 };
  for await (const listed of oldestFirst(source, workspace, null)) {
    const delivery = await source.deliveries.get(workspace, listed.delivery_id);
    if (!delivery) continue;
    if (open.includes(delivery.state)) counts.open++;
    else if (isInGraph(delivery)) {
      await replayDelivery(source, target, context, delivery);
      counts.replayed++;
    } else counts.left_out++;
  }
  return counts;
}

export const isInGraph = ({ state }: Pick<Delivery, 'state'>): boolean => inGraph.includes(state);

/** A replay forgets nothing and uses no new name: the deliveries did so when they were first projected. */
export const replayContext = (graph: GraphId, connectors: readonly Connector[]): ProjectionContext => ({
  graph,
  forgotten: nothingForgotten,
  connectors,
  recordNames: async () => {},
});

/** Works one delivery into a graph again, by the names that the connectors give. */
export async function replayDelivery(
  { payloads }: Pick<ReplayInput, 'payloads'>,
  target: GraphWriters,
  context: ProjectionContext,
  delivery: Delivery,
): Promise<void> {
  const then = delivery.effective_at ?? delivery.completed_at ?? delivery.received_at;
  const writers = { ...target, clock: { now: () => new Date(then) } };
  // It has passed the shrink guard already, whatever was there then.
  const replayed = { ...delivery, released: true };
  await projectContent(writers, context, replayed, await payloads.stream(delivery));
}

/** The deliveries of a workspace as they were received, after a place. */
export async function* oldestFirst(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'list'> },
  workspace: WorkspaceId,
  from: DeliveryPosition | null,
): AsyncGenerator<Delivery> {
  let after = from;
  do {
    const page = await deliveries.list(workspace, {
      state: null,
      connectorId: null,
      limit: deliveriesPerPage,
      after,
      oldestFirst: true,
    });
    yield* page.items;
    after = page.next;
  } while (after);
}
