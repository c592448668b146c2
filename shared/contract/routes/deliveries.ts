import { DeliveriesQuery, DeliveryPage, DeliveryParams, DeliveryQuery, LineageDelivery } from '../deliveries.ts';
import type { Route } from '../route.ts';

const reading = { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' } as const;
const administering = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;
const one = {
  function: 'queries',
  params: DeliveryParams,
  query: DeliveryQuery,
  problems: ['not_found', 'validation_error'],
} as const satisfies Partial<Route>;
const delivery = { description: 'The delivery.', schema: LineageDelivery };

/** What became of deliveries: C-DELIVERY-1 to C-DELIVERY-6. */
export const deliveryRoutes = {
  listDeliveries: {
    method: 'GET',
    path: '/v1/lineage/deliveries',
    function: 'queries',
    summary: 'Lists deliveries, newest first.',
    access: reading,
    query: DeliveriesQuery,
    replies: { 200: { description: 'A page of deliveries.', schema: DeliveryPage } },
    problems: ['validation_error', 'not_found'],
  },
  getDelivery: {
    ...one,
    method: 'GET',
    path: '/v1/lineage/deliveries/{delivery_id}',
    summary: 'Tells what became of a delivery.',
    access: reading,
    replies: { 200: delivery },
  },
  retryDelivery: {
    ...one,
    method: 'POST',
    path: '/v1/lineage/deliveries/{delivery_id}/retry',
    summary: 'Puts a failed delivery back to work.',
    access: { kind: 'member', scope: 'write', role: 'editor', workspace: 'query' },
    replies: { 200: delivery },
    problems: [...one.problems, 'conflict'],
  },
  releaseDelivery: {
    ...one,
    method: 'POST',
    path: '/v1/lineage/deliveries/{delivery_id}/release',
    summary: 'Lets a snapshot through that the shrink guard holds.',
    access: administering,
    replies: { 200: delivery },
    problems: [...one.problems, 'conflict'],
  },
} as const satisfies Record<string, Route>;

/** Streamed: a payload may be larger than a reply that is made whole. */
export const payloadRoutes = {
  getDeliveryPayload: {
    ...one,
    function: 'export',
    method: 'GET',
    path: '/v1/lineage/deliveries/{delivery_id}/payload',
    summary: 'Returns the bytes of a delivery as they were received.',
    access: administering,
    stream: true,
    replies: { 200: { description: 'The original bytes.', mediaType: 'application/json' } },
  },
} as const satisfies Record<string, Route>;
