import type { Gap, GapDetails, LookAlikes, UnfinishedRuns } from '../../../contract/gaps.ts';
import { DeliveryId, type GapId, idOrNull, type ProviderInstanceId, type WorkspaceId } from '../../../contract/ids.ts';
import type { Notification } from '../../../contract/messages.ts';
import { adviceOnIgnored } from '../../../contract/unresolved-reasons.ts';
import type { GapStatus, GapType } from '../../../contract/vocabulary.ts';
import { sortedBy } from '../../base/collections.ts';
import type { NamesReader } from '../generations/graph-record.ts';
import type { UnfinishedRun } from '../graph/runs.ts';
import { claimCommand } from '../names/claim-command.ts';
import { isOwned, namesRelations } from '../names/resolve-dataset.ts';
import { isShrunk, type SnapshotStatus, unresolvedSnapshot } from '../projection/snapshot-status.ts';
import { type Activity, itemFailureSince, lastFailure, later } from '../providers/activity.ts';
import type { Backlog, ProviderRecord } from '../providers/provider.ts';
import type { AbandonedScopes } from './abandoned-scopes.ts';
import type { Surveyed } from './survey-graph.ts';

type CurrentGaps = {
  readonly gaps: readonly Gap[];
  /** Raised by each write; 0 if there was none. */
  readonly revision: number;
};

export type GapWrite = {
  /** The revision that was read. */
  readonly after: number;
  readonly current: readonly Gap[];
  readonly changed: readonly Gap[];
  /** Those of the changed ones that were not there. */
  readonly opened: readonly Gap[];
};

export type GapStore = {
  /** The current gaps of a provider and the states of its snapshots. Read consistently. */
  readonly current: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
  ) => Promise<CurrentGaps & { readonly snapshots: readonly SnapshotStatus[] }>;
  /** Stores the gaps, their count and the announcement in one transaction; false if another write came first. */
  readonly commit: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
    review: GapWrite,
    notifications?: readonly Notification[],
  ) => Promise<boolean>;
  readonly get: (workspace: WorkspaceId, provider: ProviderInstanceId, id: GapId) => Promise<Gap | null>;
  /** Newest first, before an id. */
  readonly list: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
    page: {
      readonly status: GapStatus | null;
      readonly gapType: string | null;
      readonly before: string | null;
      readonly limit: number;
    },
  ) => Promise<readonly Gap[]>;
};

const hourSeconds = 3_600;

/** Seconds of the longest pause between `hours` (newest first) that occurred twice: one outage is no habit. */
export function cadenceOf(hours: readonly number[]): number | null {
  const pauses = hours.slice(1).map((hour, i) => (hours[i] ?? hour) - hour);
  const [, second] = pauses.sort((a, b) => b - a);
  return second === undefined ? null : second * hourSeconds;
}

export type FeedState = {
  readonly record: ProviderRecord;
  readonly backlog: Backlog;
  readonly snapshots: readonly SnapshotStatus[];
  readonly normalizerVersion: number;
  /** What its newest deliveries left unresolved, if they did. */
  readonly unresolved: NonNullable<GapDetails['unresolved']>;
  /** The namespaces that it used and no connector owns; null if there are none. */
  readonly unowned: Required<Pick<GapDetails, 'namespaces' | 'command'>> | null;
  /** What the edges of its evidence show. */
  readonly surveyed: Surveyed;
  /** Its runs that have had no end for long; null if there are none. */
  readonly unfinished: UnfinishedRuns | null;
  /** Its scopes that nothing renews; null if there are none. */
  readonly abandoned: AbandonedScopes | null;
  readonly now: Date;
};

export type DetectedGap = { readonly type: GapType; readonly details: GapDetails };

const minuteMs = 60_000;
/** A message that waits longer was lost, or its queue is too long. */
const maxBacklogAgeMs = 15 * minuteMs;

export function detectGaps(feed: FeedState): DetectedGap[] {
  const { record, backlog } = feed;
  const { undeclared, lookAlikes } = feed.surveyed;
  const { activity } = record;
  const figures = {
    cadence: cadenceOf(activity.receipt_hours),
    last_receipt: later(activity.last_received_at, backlog.newest),
    backlog: backlog.count,
    normalizer_version: activity.normalizer_version === null ? null : String(activity.normalizer_version),
  };
  const reasons: Readonly<Record<GapType, string | null>> = {
    silent_provider: silence(feed, figures),
    backlog: waiting(feed),
    unresolved_assets: unresolvedDeliveries(feed).length > 0 ? 'assets_not_resolved' : null,
    quarantined_items: failedItems(activity),
    outdated_normalizer: outdated(feed),
    snapshot_shrank: shrinking(feed),
    unowned_namespace: feed.unowned && 'namespaces_of_no_connector',
    undeclared_lineage: undeclared && 'edges_without_declaration',
    unfinished_runs: feed.unfinished && 'runs_without_end_for_24_hours',
    abandoned_scope: feed.abandoned && 'another_scope_states_the_same_relations',
    names_look_alike: lookAlikes && 'other_names_end_in_the_same_parts',
  };
  const types = Object.keys(reasons) as GapType[];
  return types.flatMap((type) => {
    const reason = reasons[type];
    const details = {
      ...figures,
      ...(type === 'unowned_namespace' && feed.unowned),
      ...(type === 'abandoned_scope' && feed.abandoned),
      ...(type === 'unresolved_assets' && { unresolved: feed.unresolved }),
      ...(type === 'unfinished_runs' && feed.unfinished && { unfinished: feed.unfinished }),
      ...(type === 'undeclared_lineage' && undeclared && { undeclared }),
      ...(type === 'names_look_alike' && lookAlikes && { look_alikes: lookAlikes, ...commandOf(lookAlikes) }),
    };
    return reason === null ? [] : [{ type, details: { ...details, reason } }];
  });
}

function commandOf({ pairs }: LookAlikes): Pick<GapDetails, 'command'> {
  const command = pairs.find((pair) => pair.command !== null)?.command;
  return command ? { command } : {};
}

/** How many runs of a workspace a scan looks at. */
export const unfinishedRunsRead = 5_000;
const endlessMs = 24 * 60 * minuteMs;
const jobsNamed = 20;

/** The runs that have had no end for 24 hours, by their source: C-GAP-12. */
export function endlessRuns(runs: readonly UnfinishedRun[], now: Date): ReadonlyMap<string, UnfinishedRuns> {
  const endless = runs.filter(({ since }) => now.getTime() - Date.parse(since) > endlessMs);
  const bySource = Map.groupBy(endless, ({ providerInstanceId }) => providerInstanceId);
  return new Map(
    [...bySource].map(([source, own]) => {
      const jobs = [...new Set(own.map(({ job }) => `${job.namespace}/${job.name}`))].sort().slice(0, jobsNamed);
      return [source, { count: own.length, jobs, advice: adviceOnIgnored.run_not_complete }];
    }),
  );
}

type Figures = Pick<GapDetails, 'cadence' | 'last_receipt'>;

/** A paused or disabled feed is not silent. Collection delivers only when shapes change. */
function silence(
  { record, now }: Pick<FeedState, 'record' | 'now'>,
  { cadence, last_receipt }: Figures,
): string | null {
  const { status, provider_type } = record.provider;
  if (status !== 'active' || provider_type === 'collection' || cadence === null || last_receipt === null) return null;
  const silentMs = now.getTime() - Date.parse(last_receipt);
  return silentMs > 2_000 * cadence ? 'nothing_within_twice_the_cadence' : null;
}

/** Whether no delivery of the feed was received within twice its cadence. */
export const isSilent = (record: ProviderRecord, now: Date): boolean => {
  const { receipt_hours, last_received_at } = record.activity;
  return silence({ record, now }, { cadence: cadenceOf(receipt_hours), last_receipt: last_received_at }) !== null;
};

const waiting = ({ backlog: { oldest }, now }: FeedState): string | null =>
  oldest !== null && Date.parse(oldest) < now.getTime() - maxBacklogAgeMs ? 'oldest_delivery_waits_too_long' : null;

function failedItems(activity: Activity): string | null {
  if (itemFailureSince(activity, activity.last_quarantined_at) !== null) return 'items_not_understood';
  return itemFailureSince(activity, lastFailure(activity)) === null ? null : 'deliveries_failed';
}

/** Deliveries with unresolved assets that no later one without them followed: a few snapshots, events and parts. */
export function unresolvedDeliveries({ record, snapshots }: Pick<FeedState, 'record' | 'snapshots'>): DeliveryId[] {
  const { last_unresolved_at, unresolved_delivery } = record.activity;
  const isOpen = itemFailureSince(record.activity, last_unresolved_at) !== null;
  const ofEvents = isOpen ? idOrNull(DeliveryId, unresolved_delivery?.split('#')[1] ?? '') : null;
  return [...(ofEvents ? [ofEvents] : []), ...snapshots.flatMap((one) => unresolvedSnapshot(one) ?? [])];
}

function outdated({ record: { activity }, normalizerVersion }: FeedState): string | null {
  const version = activity.normalizer_version;
  return version !== null && version < normalizerVersion ? 'worked_by_older_rules' : null;
}

function shrinking({ snapshots }: FeedState): string | null {
  const shrunk = snapshots.filter(isShrunk);
  if (shrunk.length === 0) return null;
  return shrunk.some(({ shrank }) => shrank?.held) ? 'snapshot_held_by_the_shrink_guard' : 'snapshot_retracted_much';
}

export type UsedNamespace = { readonly namespace: string; readonly providers: ReadonlySet<string> };

export type UnownedNames = {
  /** At most this many of the namespaces that deliveries used. */
  readonly namespaces: (workspace: WorkspaceId, limit: number) => Promise<readonly UsedNamespace[]>;
  /** How many datasets of a namespace had no connector when they were named, up to a limit. */
  readonly datasets: (workspace: WorkspaceId, namespace: string, limit: number) => Promise<number>;
};

const namespacesRead = 1_000;
const namespacesNamed = 20;
const datasetsCounted = 10_000;

type Unowned = { readonly namespace: string; readonly datasets: number; readonly providers: ReadonlySet<string> };

/** The namespaces of relations that no connector owns: C-IDENTITY-6. Nobody owns paths and topics. */
export async function unownedNamespaces(
  { namesOf, usedNames }: { readonly namesOf: NamesReader; readonly usedNames: UnownedNames },
  workspace: WorkspaceId,
): Promise<readonly Unowned[]> {
  const used = (await usedNames.namespaces(workspace, namespacesRead)).filter((one) => namesRelations(one.namespace));
  if (used.length === 0) return [];
  const { connectors } = await namesOf(workspace);
  const unowned = used.filter(({ namespace }) => !isOwned(connectors, namespace)).slice(0, namespacesNamed);
  const counted = await Promise.all(
    unowned.map(async (one) => ({
      ...one,
      datasets: await usedNames.datasets(workspace, one.namespace, datasetsCounted),
    })),
  );
  return sortedBy(
    counted.filter(({ datasets }) => datasets > 0),
    ({ datasets }) => -datasets,
    ({ namespace }) => namespace,
  );
}

export function unownedDetails(
  unowned: readonly Unowned[],
  { workspace_id, id }: { readonly workspace_id: string; readonly id: string },
): Required<Pick<GapDetails, 'namespaces' | 'command'>> | null {
  const own = unowned.filter(({ providers }) => providers.has(id));
  if (own.length === 0) return null;
  return {
    namespaces: own.map(({ namespace, datasets }) => ({ namespace, datasets })),
    command: claimCommand(
      workspace_id,
      own.map(({ namespace }) => namespace),
    ),
  };
}
