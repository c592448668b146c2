import * as v from 'valibot';
import { count, pageOf, paging, text, timestamp } from './fields.ts';
import { IntakeBody } from './lineage.ts';
import { adminAccess, type FunctionRoutes, servedBy, viewerAccess, WorkspaceQuery } from './route.ts';
import { ignoredReasons } from './unresolved-reasons.ts';
import { completenesses, deliveryKinds, deliveryStates } from './vocabulary.ts';

/** One item of a delivery that could not be interpreted; the message names the place and the rule, never a value. */
export const QuarantinedItem = v.object({ index: count, code: v.string(), message: v.string() });
export type QuarantinedItem = v.InferOutput<typeof QuarantinedItem>;

export const DeliveryWarning = v.object({ code: v.string(), message: v.string() });
export type DeliveryWarning = v.InferOutput<typeof DeliveryWarning>;

/** What of a delivery, or of a feed, is not resolved for one reason. */
export const UnresolvedAssets = v.object({
  reason: v.string(),
  count,
  /** The first of them, in the source's own words: dbt's `unique_id`, SQLMesh's name, a namespace of OpenLineage. */
  assets: v.array(v.string()),
  assets_left_out: count,
  /** True if nothing is missing: the reason is a remark that the source's format asks for. */
  resolved: v.boolean(),
  advice: v.string(),
});
export type UnresolvedAssets = v.InferOutput<typeof UnresolvedAssets>;

/** Events that were understood, and have no effect. */
const IgnoredItems = v.object({ reason: v.picklist(ignoredReasons), count, advice: v.string() });

export const LineageDelivery = v.object({
  delivery_id: v.string(),
  workspace_id: v.string(),
  connector_id: v.nullable(v.string()),
  provider_instance_id: v.string(),
  kind: v.picklist(deliveryKinds),
  state: v.picklist(deliveryStates),
  duplicate_count: count,
  received_at: timestamp,
  completed_at: v.nullable(timestamp),
  attempts: count,
  item_count: count,
  invalid_item_count: count,
  projected_item_count: count,
  quarantined: v.array(QuarantinedItem),
  warnings: v.array(DeliveryWarning),
  failure: v.nullable(DeliveryWarning),
  scope_key: v.nullable(v.string()),
  completeness: v.nullable(v.picklist(completenesses)),
  retracted_evidence_count: count,
  unresolved: v.array(UnresolvedAssets),
  ignored: v.array(IgnoredItems),
  /** True if all datasets that its events name are relations in namespaces that no connector owns. */
  only_unowned: v.boolean(),
});
export type LineageDelivery = v.InferOutput<typeof LineageDelivery>;

export const DeliveryPage = pageOf(LineageDelivery);
export type DeliveryPage = v.InferOutput<typeof DeliveryPage>;

const DeliveriesQuery = v.object({
  workspace_id: text(200),
  state: v.optional(v.picklist(deliveryStates)),
  connector_id: v.optional(text(200)),
  ...paging,
});

const delivery = { description: 'The delivery.', schema: LineageDelivery };

/** What became of deliveries: C-DELIVERY-1 to C-DELIVERY-6. */
export const deliveryRoutes = servedBy('queries', {
  listDeliveries: {
    method: 'GET',
    path: '/v1/lineage/deliveries',
    summary: 'Lists deliveries, newest first.',
    access: viewerAccess,
    query: DeliveriesQuery,
    replies: { 200: { description: 'A page of deliveries.', schema: DeliveryPage } },
    problems: ['not_found'],
  },
  getDelivery: {
    method: 'GET',
    path: '/v1/lineage/deliveries/{delivery_id}',
    summary: 'Returns the state and result of a delivery.',
    access: viewerAccess,
    query: WorkspaceQuery,
    replies: { 200: delivery },
  },
  retryDelivery: {
    method: 'POST',
    path: '/v1/lineage/deliveries/{delivery_id}/retry',
    summary: 'Retries a failed delivery.',
    access: { kind: 'member', scope: 'write', role: 'editor', workspace: 'query' },
    query: WorkspaceQuery,
    replies: { 200: delivery },
    problems: ['conflict'],
  },
  releaseDelivery: {
    method: 'POST',
    path: '/v1/lineage/deliveries/{delivery_id}/release',
    summary: 'Releases a snapshot that the shrink guard holds.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 200: delivery },
    problems: ['conflict'],
  },
} as const satisfies FunctionRoutes);

/** Streamed: a payload may be larger than a reply that is made whole. */
export const payloadRoutes = servedBy('export', {
  getDeliveryPayload: {
    method: 'GET',
    path: '/v1/lineage/deliveries/{delivery_id}/payload',
    summary: 'Returns the bytes of a delivery as received.',
    access: adminAccess,
    query: WorkspaceQuery,
    stream: true,
    replies: { 200: { description: 'The original bytes.', mediaType: 'application/json', content: IntakeBody } },
  },
} as const satisfies FunctionRoutes);
