import type { deliveryRoutes } from '../../shared/contract/routes/deliveries.ts';
import type { ConnectorFinder } from '../../shared/domain/access/find-connector.ts';
import type { Delivery } from '../../shared/domain/ingest/deliveries/delivery.ts';
import type { DeliveryFilter, DeliveryStore, ProjectionQueue } from '../../shared/domain/ingest/deliveries/ports.ts';
import { releaseDelivery, retryDelivery } from '../../shared/domain/ingest/deliveries/reopen-delivery.ts';
import { findDelivery, showDeliveries, showDelivery } from '../../shared/domain/ingest/deliveries/show-delivery.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type DeliveryPorts = {
  readonly deliveries: DeliveryStore;
  readonly queue: ProjectionQueue;
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
  readonly connector: ConnectorFinder;
};

/** Serves the routes of deliveries. */
export const deliveryImplementations = (ports: DeliveryPorts): Implementations<typeof deliveryRoutes> => ({
  listDeliveries: async ({ workspace, query: { state, connector_id, limit, cursor } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    const filter: DeliveryFilter = { state: state ?? null, connectorId };
    return { status: 200, body: await showDeliveries(ports, workspace, { ...filter, limit, cursor: cursor ?? null }) };
  },
  getDelivery: async ({ workspace, params }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return { status: 200, body: await showDelivery(ports, delivery) };
  },
  retryDelivery: async ({ workspace, params, now }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return { status: 200, body: await showDelivery(ports, await retryDelivery(ports, delivery, now)) };
  },
  releaseDelivery: async ({ workspace, params, now }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return { status: 200, body: await showDelivery(ports, await releaseDelivery(ports, delivery, now)) };
  },
});
