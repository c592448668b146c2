import { metricNames } from '../contract/metric-names.ts';
import type { Delivery } from '../domain/ingest/deliveries/delivery.ts';
import { logger } from './logger.ts';
import { metrics } from './metrics.ts';

/** A delivery took effect: says so under the id of the request that brought it, and how long after it was accepted. */
export function onProjected(delivery: Delivery, now: Date): void {
  const lag_ms = Math.max(0, now.getTime() - Date.parse(delivery.received_at));
  metrics.addMetric(metricNames.projectionLag, 'Milliseconds', lag_ms);
  logger.info('delivery projected', { ...loggedDelivery(delivery), lag_ms });
}

/** What log lines name a delivery by. */
export const loggedDelivery = ({ workspace_id, delivery_id, request_id }: Delivery) => ({
  workspace_id,
  delivery_id,
  request_id,
});
