import { payloadRoutes } from '../../shared/contract/deliveries.ts';
import { exportRoutes } from '../../shared/contract/export.ts';
import { findDelivery, showPayload } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import type { GraphReader } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { exportPorts } from '../../shared/runtime/composition/queries.ts';
import { streamingHttpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { exportImplementations } from './export.ts';

const payloadImplementations = (
  ports: Pick<GraphReader, 'deliveries' | 'payloads'>,
): Implementations<typeof payloadRoutes> => ({
  getDeliveryPayload: async ({ workspace, params }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return { status: 200, ...(await showPayload(ports, delivery)) };
  },
});

const ports = exportPorts();

/** Streams what may be larger than one reply: the graph, and payloads. */
export const handler = streamingHttpFunction(
  { ...exportRoutes, ...payloadRoutes },
  { ...exportImplementations(ports), ...payloadImplementations(ports) },
);
