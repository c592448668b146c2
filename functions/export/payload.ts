import type { payloadRoutes } from '../../shared/contract/routes/deliveries.ts';
import type { DeliveryStore, PayloadStore } from '../../shared/domain/ingest/deliveries/ports.ts';
import { findDelivery, showPayload } from '../../shared/domain/ingest/deliveries/show-delivery.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ServePayloadPorts = {
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
};

/** Serves the original bytes of deliveries. */
export const payloadImplementations = (ports: ServePayloadPorts): Implementations<typeof payloadRoutes> => ({
  getDeliveryPayload: async ({ workspace, params }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return { status: 200, ...(await showPayload(ports, delivery)) };
  },
});
