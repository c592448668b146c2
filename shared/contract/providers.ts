import * as v from 'valibot';
import { count, pageCursor, pageLimit, text, timestamp } from './fields.ts';
import { providerStatuses } from './vocabulary.ts';

const time = v.nullable(timestamp);

/** C-PROVIDER-1: one evidence feed attached to a connector. */
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

export const ProviderPage = v.object({
  workspace_id: v.string(),
  items: v.array(ProviderInstance),
  next_cursor: v.nullable(v.string()),
});
export type ProviderPage = v.InferOutput<typeof ProviderPage>;

/** `error` is reported, never set. */
export const settableStatuses = ['active', 'paused', 'disabled'] as const;
export type SettableStatus = (typeof settableStatuses)[number];

export const ProviderParams = v.object({ provider_instance_id: v.pipe(v.string(), v.uuid()) });
export const ProviderQuery = v.object({ workspace_id: text(200) });
export const ProvidersQuery = v.object({
  workspace_id: text(200),
  connector_id: v.optional(text(200)),
  status: v.optional(v.picklist(providerStatuses)),
  limit: pageLimit,
  cursor: pageCursor,
});
export const ProviderPatch = v.strictObject({ workspace_id: text(200), status: v.picklist(settableStatuses) });
