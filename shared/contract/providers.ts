import * as v from 'valibot';
import { anyId, count, pageOf, paging, providerTypeName, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, servedBy, viewerAccess, WorkspaceQuery } from './route.ts';
import {
  documentKinds,
  type EvidenceClass,
  evidenceClasses,
  feedTypes,
  providerStatuses,
  providerTypeClasses,
} from './vocabulary.ts';

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

/** A registered key; its id is that of its provider instance. */
export const ProviderKey = v.object({
  id: v.string(),
  workspace_id: v.string(),
  connector_id: v.string(),
  provider_key: v.string(),
  provider_type: v.string(),
  class: v.picklist(evidenceClasses),
  display_name: v.string(),
  created_at: timestamp,
  created_by: v.string(),
});
export type ProviderKey = v.InferOutput<typeof ProviderKey>;

export const ProviderKeyPage = pageOf(ProviderKey);
export type ProviderKeyPage = v.InferOutput<typeof ProviderKeyPage>;

/** The name of a class is also that of its weight, so no type of your own can have it. */
const isReserved = (type: string): boolean =>
  !feedTypes.includes(type) && [...documentKinds, ...evidenceClasses].some((word) => word === type);

const fitsType = (type: string, given: EvidenceClass | undefined): boolean =>
  given === undefined ? feedTypes.includes(type) : (providerTypeClasses.get(type) ?? given) === given;

export const RegisterProviderKey = v.pipe(
  v.strictObject({
    workspace_id: anyId,
    connector_id: anyId,
    provider_key: text(limits.openlineage.providerKey),
    provider_type: v.pipe(
      providerTypeName,
      v.check((type) => !isReserved(type), 'must not be the type of a document or the name of a class'),
    ),
    class: v.optional(v.picklist(evidenceClasses)),
    display_name: v.optional(text(limits.providerName)),
  }),
  v.forward(
    v.check(
      (one) => fitsType(one.provider_type, one.class),
      `is required unless the type is one of ${feedTypes.join(', ')}`,
    ),
    ['class'],
  ),
);
const ProviderKeysQuery = v.object({ workspace_id: anyId, connector_id: v.optional(anyId), ...paging });

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
    problems: ['not_found'],
  },
  getProvider: {
    method: 'GET',
    path: '/v1/lineage/providers/{provider_instance_id}',
    summary: 'Returns the status of an evidence feed.',
    access: viewerAccess,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The provider instance.', schema: ProviderInstance } },
  },
  patchProvider: {
    method: 'PATCH',
    path: '/v1/lineage/providers/{provider_instance_id}',
    summary: 'Pauses, disables or resumes an evidence feed.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    body: { kind: 'json', schema: ProviderPatch, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The provider instance.', schema: ProviderInstance } },
  },
} as const satisfies FunctionRoutes);

/** The types of feeds by their key: C-FEED-1 to C-FEED-4. */
export const providerKeyRoutes = servedBy('access', {
  listProviderKeys: {
    method: 'GET',
    path: '/v1/lineage/provider-keys',
    summary: 'Lists the registered provider keys of a workspace.',
    access: viewerAccess,
    query: ProviderKeysQuery,
    replies: { 200: { description: 'A page of provider keys.', schema: ProviderKeyPage } },
    problems: ['not_found'],
  },
  registerProviderKey: {
    method: 'POST',
    path: '/v1/lineage/provider-keys',
    summary: 'Registers a provider key with the type of its feed, or changes it.',
    access: { ...adminAccess, workspace: 'body' },
    body: { kind: 'json', schema: RegisterProviderKey, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'The registered key.', schema: ProviderKey } },
    problems: ['not_found', 'conflict', 'lineage_provider_scope_conflict'],
  },
  removeProviderKey: {
    method: 'DELETE',
    path: '/v1/lineage/provider-keys/{provider_instance_id}',
    summary: 'Removes the registration of a provider key. What it stated stays, as type openlineage.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['conflict'],
  },
} as const satisfies FunctionRoutes);
