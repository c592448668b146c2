import * as v from 'valibot';
import { LookAlike } from '../../../contract/gaps.ts';
import { ConnectorId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import {
  type ProviderInstance,
  type ProviderPage,
  type SettableStatus,
  settableStatuses,
} from '../../../contract/providers.ts';
import { gapStatuses, type ProviderStatus } from '../../../contract/vocabulary.ts';
import { type BoundList, cutPage, readCursor } from '../../base/paging/cursor.ts';
import { type Activity, isFailing, later } from './activity.ts';

/** One evidence feed: made at its first delivery, or registered before. Only a registration changes its connector. */
export const Provider = v.object({
  id: ProviderInstanceId,
  workspace_id: WorkspaceId,
  connector_id: v.optional(v.nullable(ConnectorId), null),
  provider_type: v.string(),
  display_name: v.string(),
  status: v.picklist(settableStatuses),
  /** When the status was set: failures before it are forgiven. */
  status_at: v.string(),
});
export type Provider = v.InferOutput<typeof Provider>;

/** Whether documents of a type declare all inputs of a project's models; a catalog describes what others make. */
export const statesProject = (providerType: string): boolean => projectTypes.has(providerType);

const projectTypes: ReadonlySet<string> = new Set(['dbt_manifest', 'sqlmesh_project']);

/** Why a provider takes nothing in; null if it does. */
export const intakeRefusal = ({ status }: Pick<Provider, 'status'>) =>
  status === 'active' ? null : (`lineage_provider_${status}` as const);

const NamePair = v.omit(LookAlike, ['advice']);
export type NamePair = v.InferOutput<typeof NamePair>;

/** A gap of a feed that is not over. */
const CurrentGap = v.object({
  gap_type: v.string(),
  status: v.picklist(gapStatuses),
  opened_at: v.string(),
  reason: v.string(),
  /** Only of names that look alike: how many there are, and the first ones. */
  look_alikes: v.optional(v.object({ count: v.number(), pairs: v.array(NamePair) })),
});
export type CurrentGap = v.InferOutput<typeof CurrentGap>;

export const ProviderCounters = v.object({
  invalid_item_count: v.optional(v.number(), 0),
  unresolved_asset_count: v.optional(v.number(), 0),
  open_gap_count: v.optional(v.number(), 0),
  /** Open and ignored ones: every claim needs them, and reads the feeds anyway. */
  gaps: v.optional(v.array(CurrentGap), []),
});
export type ProviderCounters = v.InferOutput<typeof ProviderCounters>;

export const noCounters: ProviderCounters = v.parse(ProviderCounters, {});

export const addCounters = (a: ProviderCounters, b: ProviderCounters): ProviderCounters => ({
  invalid_item_count: a.invalid_item_count + b.invalid_item_count,
  unresolved_asset_count: a.unresolved_asset_count + b.unresolved_asset_count,
  open_gap_count: a.open_gap_count + b.open_gap_count,
  gaps: [...a.gaps, ...b.gaps],
});

/** Deliveries that were accepted and are not yet worked. */
export type Backlog = {
  readonly count: number;
  readonly oldest: string | null;
  readonly newest: string | null;
};
export const noBacklog: Backlog = { count: 0, oldest: null, newest: null };

export type ProviderRecord = {
  readonly provider: Provider;
  readonly counters: ProviderCounters;
  readonly activity: Activity;
};

/** `error` is never stored: it follows from the newest failures. */
export const statusOf = ({ provider, activity }: ProviderRecord): ProviderStatus =>
  provider.status === 'active' && isFailing(activity, provider.status_at) ? 'error' : provider.status;

/** A provider as the interface shows it: C-PROVIDER-5. */
function providerView(record: ProviderRecord, backlog: Backlog): ProviderInstance {
  const { provider, activity } = record;
  const { gaps: _, ...counters } = record.counters;
  return {
    id: provider.id,
    connector_id: provider.connector_id,
    provider_type: provider.provider_type,
    display_name: provider.display_name,
    status: statusOf(record),
    capabilities: [...(capabilities[provider.provider_type] ?? runtimeCapabilities)],
    last_event_at: activity.last_event_at,
    last_received_at: later(activity.last_received_at, backlog.newest),
    last_accepted_at: later(activity.last_accepted_at, backlog.newest),
    last_processed_at: activity.last_processed_at,
    last_success_at: activity.last_success_at,
    last_error_at: activity.last_error_at,
    event_watermark: activity.event_watermark,
    backlog_count: backlog.count,
    oldest_backlog_at: backlog.oldest,
    ...counters,
  };
}

const runtimeCapabilities = ['table_lineage', 'column_lineage', 'runtime_observation'] as const;
const declaredCapabilities = ['table_lineage', 'column_lineage', 'snapshot_retraction'] as const;
const capabilities: Readonly<Record<string, readonly string[]>> = {
  dbt_manifest: declaredCapabilities,
  sqlmesh_project: declaredCapabilities,
  datahub_catalog: declaredCapabilities,
  collection: ['snapshot_retraction'],
};

export type ProviderStore = {
  /** Read consistently: a pause holds at once. */
  readonly get: (workspace: WorkspaceId, id: ProviderInstanceId) => Promise<ProviderRecord | null>;
  /** Keeps a new provider; answers with the one that was there first. */
  readonly create: (provider: Provider) => Promise<Provider>;
  /** False where there is no such provider. */
  readonly setStatus: (
    workspace: WorkspaceId,
    id: ProviderInstanceId,
    status: SettableStatus,
    at: string,
  ) => Promise<boolean>;
  /** All providers after an id, in the order of ids. */
  readonly list: (workspace: WorkspaceId, after: string | null) => AsyncIterable<ProviderRecord>;
};

/** The feeds of a workspace, and how far what they delivered is in the graph. */
export type Sources = {
  readonly records: readonly ProviderRecord[];
  /** False if there are more feeds than were read. */
  readonly isWhole: boolean;
  /** The moment before which no accepted delivery waits: ISO time; null if the evidence is files. */
  readonly until: string | null;
  /** Whether some delivery was seen to wait. */
  readonly waits: boolean;
  /** Names of the files that look alike. Those of a service are in the gaps of its feeds. */
  readonly lookAlikes?: readonly NamePair[];
};

/** Reads them in one request, of a workspace of some hundred feeds. */
export type SourceReader = (workspace: WorkspaceId, now: Date) => Promise<Sources>;

export type BacklogReader = {
  readonly backlogs: (workspace: WorkspaceId) => Promise<ReadonlyMap<ProviderInstanceId, Backlog>>;
};

type ListRequest = {
  readonly connectorId: ConnectorId | null;
  readonly status: ProviderStatus | null;
  readonly limit: number;
  readonly cursor: string | null;
};

/** A page of a workspace's providers in the order of their ids: C-PROVIDER-5. */
export async function listProviders(
  ports: ProviderPorts,
  workspace: WorkspaceId,
  page: ListRequest,
): Promise<ProviderPage> {
  const listing: BoundList = ['providers', workspace, page.connectorId, page.status];
  const after = readCursor(listing, v.pipe(v.string(), v.uuid()), page.cursor);
  const found: ProviderRecord[] = [];
  // One more than asked for tells whether there is a next page.
  for await (const record of ports.providers.list(workspace, after)) {
    if (matches(record, page)) found.push(record);
    if (found.length > page.limit) break;
  }
  const { page: records, next_cursor } = cutPage(listing, found, page.limit, ({ provider }) => provider.id);
  const backlogs = records.length > 0 ? await ports.backlog.backlogs(workspace) : new Map();
  const items = records.map((record) => providerView(record, backlogs.get(record.provider.id) ?? noBacklog));
  return { workspace_id: workspace, items, next_cursor };
}

const matches = (record: ProviderRecord, { connectorId, status }: ListRequest): boolean =>
  (connectorId === null || record.provider.connector_id === connectorId) &&
  (status === null || statusOf(record) === status);

export type ProviderPorts = { readonly providers: ProviderStore; readonly backlog: BacklogReader };

export async function showProvider(
  ports: ProviderPorts,
  workspace: WorkspaceId,
  id: ProviderInstanceId,
): Promise<ProviderInstance> {
  const record = await ports.providers.get(workspace, id);
  if (!record) throw new Problem('not_found');
  const backlogs = await ports.backlog.backlogs(workspace);
  return providerView(record, backlogs.get(id) ?? noBacklog);
}

/** Pauses, disables or resumes a provider and answers with it: C-PROVIDER-3. Throws `not_found`. */
export async function setProviderStatus(
  ports: ProviderPorts,
  workspace: WorkspaceId,
  id: ProviderInstanceId,
  { status, now }: { readonly status: SettableStatus; readonly now: Date },
): Promise<ProviderInstance> {
  if (!(await ports.providers.setStatus(workspace, id, status, now.toISOString()))) throw new Problem('not_found');
  return showProvider(ports, workspace, id);
}
