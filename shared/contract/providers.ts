import * as v from 'valibot';
import { count, pageOf, paging, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy, viewerAccess } from './route.ts';
import { providerStatuses } from './vocabulary.ts';

const time = v.nullable(timestamp);

export const ProviderInstance = v.object({
  id: v.string(),
  connector_id: v.nullable(v.string()),
  provider_type: v.string(),
  display_name: v.string(),
  status: v.picklist(providerStatuses),
  capabilities: v.array(v.string()),
  last_event_at: time,
  last_received_at: time,
  last_accepted_at: time,
  last_processed_at: time,
  last_success_at: time,
  last_error_at: time,
  event_watermark: time,
  backlog_count: count,
  oldest_backlog_at: time,
  invalid_item_count: count,
  unresolved_asset_count: count,
  open_gap_count: count,
});
export type ProviderInstance = v.InferOutput<typeof ProviderInstance>;

export const ProviderPage = pageOf(ProviderInstance);
export type ProviderPage = v.InferOutput<typeof ProviderPage>;

/** `error` is reported, never set. */
export const settableStatuses = ['active', 'paused', 'disabled'] as const;
export type SettableStatus = (typeof settableStatuses)[number];

const ProviderQuery = v.object({ workspace_id: text(200) });
const ProvidersQuery = v.object({
  workspace_id: text(200),
  connector_id: v.optional(text(200)),
  status: v.optional(v.picklist(providerStatuses)),
  ...paging,
});
const ProviderPatch = v.strictObject({ workspace_id: text(200), status: v.picklist(settableStatuses) });

/** Evidence feeds and their health: C-PROVIDER-3, C-PROVIDER-5. */
export const providerRoutes = servedBy('queries', {
  listProviders: {
    method: 'GET',
    path: '/v1/lineage/providers',
    summary: 'Lists the evidence feeds of a workspace.',
    access: viewerAccess,
    query: ProvidersQuery,
    replies: { 200: { description: 'A page of provider instances.', schema: ProviderPage } },
    problems: ['validation_error', 'not_found'],
  },
  getProvider: {
    method: 'GET',
    path: '/v1/lineage/providers/{provider_instance_id}',
    summary: 'Returns the status of an evidence feed.',
    access: viewerAccess,
    query: ProviderQuery,
    replies: { 200: { description: 'The provider instance.', schema: ProviderInstance } },
    problems: ['validation_error', 'not_found'],
  },
  patchProvider: {
    method: 'PATCH',
    path: '/v1/lineage/providers/{provider_instance_id}',
    summary: 'Pauses, disables or resumes an evidence feed.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    body: { kind: 'json', schema: ProviderPatch, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The provider instance.', schema: ProviderInstance } },
    problems: ['validation_error', 'not_found'],
  },
} as const satisfies FunctionRoutes);
