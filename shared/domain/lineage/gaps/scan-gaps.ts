import { isDeepStrictEqual } from 'node:util';
import type { UnresolvedAssets } from '../../../contract/deliveries.ts';
import type { Gap } from '../../../contract/gaps.ts';
import type { DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { GapType } from '../../../contract/vocabulary.ts';
import { once } from '../../base/caching.ts';
import { uuidOf } from '../../base/collections.ts';
import { sha256 } from '../../base/digest.ts';
import type { NamesReader } from '../generations/graph-record.ts';
import type { UnfinishedRun } from '../graph/runs.ts';
import { unresolvedView } from '../ingest/deliveries/delivery.ts';
import { finishDelivery, isUnresolvedAsset } from '../ingest/deliveries/finish-delivery.ts';
import type { DeliveryStore } from '../ingest/deliveries/ports.ts';
import { overtaken, type SnapshotLog, type SnapshotStatus } from '../projection/snapshot-status.ts';
import type { ActivityLog } from '../providers/activity.ts';
import { type BacklogReader, noBacklog, type ProviderRecord, type ProviderStore } from '../providers/provider.ts';
import { firstNames } from '../sources/declared/declared.ts';
import { type AbandonedScopePorts, abandonedScopes } from './abandoned-scopes.ts';
import {
  type DetectedGap,
  detectGaps,
  endlessRuns,
  type FeedState,
  type GapStore,
  type GapWrite,
  type UnownedNames,
  unownedDetails,
  unownedNamespaces,
  unresolvedDeliveries,
} from './ports.ts';
import type { Surveyed } from './survey-graph.ts';

type ScanPorts = {
  readonly namesOf: NamesReader;
  readonly usedNames: UnownedNames;
  readonly workspaces: () => Promise<readonly { readonly id: WorkspaceId }[]>;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly backlog: BacklogReader;
  /** What edges show of each feed. Reads the graph. */
  readonly survey: (workspace: WorkspaceId, now: Date) => Promise<ReadonlyMap<string, Surveyed>>;
  /** The workspace's runs without an end. */
  readonly unfinished: (workspace: WorkspaceId) => Promise<readonly UnfinishedRun[]>;
  readonly scopes: AbandonedScopePorts['scopes'];
  readonly gaps: Pick<GapStore, 'current' | 'commit'>;
  readonly snapshots: Pick<SnapshotLog, 'clearHeld'>;
  readonly deliveries: Pick<DeliveryStore, 'get' | 'finish'>;
  readonly activity: ActivityLog;
  readonly normalizerVersion: number;
};

export type ScanPlace = { readonly workspace: WorkspaceId; readonly provider: string };

type ScanRun = {
  readonly from: ScanPlace | null;
  readonly now: Date;
  /** Reads the graph whatever the time. */
  readonly hourly?: boolean;
  readonly timeIsUp: () => boolean;
};

/**
 * Scans after the last scan's place until the time is up. May overlap: a provider's gaps change in one step. Answers where
 * the next scan goes on, or null at the end.
 */
export async function scanGaps(ports: ScanPorts, { from, now, hourly = false, timeIsUp }: ScanRun) {
  // Superseded: held snapshots that a later one has overtaken.
  const counts = { providers: 0, opened: 0, resolved: 0, superseded: 0 };
  for (const workspace of await workspacesFrom(ports, from)) {
    const after = from?.workspace === workspace ? from.provider : null;
    const [backlogs, unowned] = [await ports.backlog.backlogs(workspace), await unownedNamespaces(ports, workspace)];
    const endless = endlessRuns(await ports.unfinished(workspace), now);
    const surveyOf = once(() => ports.survey(workspace, now));
    for await (const record of ports.providers.list(workspace, after)) {
      const backlog = backlogs.get(record.provider.id) ?? noBacklog;
      const { changed, opened, superseded } = await scanProvider(ports, record, {
        backlog,
        unowned: unownedDetails(unowned, record.provider),
        unfinished: endless.get(record.provider.id) ?? null,
        survey: hourly || isDue(workspace, now) ? await surveyOf() : null,
        now,
      });
      counts.providers++;
      counts.superseded += superseded;
      counts.opened += opened.length;
      counts.resolved += changed.filter(({ status }) => status === 'resolved').length;
      if (timeIsUp()) return { ...counts, next: { workspace, provider: record.provider.id } };
    }
  }
  return { ...counts, next: null };
}

async function workspacesFrom({ workspaces }: ScanPorts, from: ScanPlace | null): Promise<WorkspaceId[]> {
  const ids = (await workspaces()).map(({ id }) => id).sort();
  return from === null ? ids : ids.filter((id) => id >= from.workspace);
}

const slotMs = 5 * 60_000;
const slotsAnHour = 12;

/** Once an hour, at its own time: reading graphs costs more than all else of a scan. */
const isDue = (workspace: WorkspaceId, now: Date): boolean =>
  Math.floor(now.getTime() / slotMs) % slotsAnHour === (sha256(workspace)[0] ?? 0) % slotsAnHour;

type Seen = Pick<FeedState, 'backlog' | 'unowned' | 'unfinished' | 'now'> & {
  /** Of all feeds; null: not looked for in this scan, so that what was found before is kept. */
  readonly survey: ReadonlyMap<string, Surveyed> | null;
};

const nothing: Review & Pick<GapWrite, 'opened'> = { current: [], changed: [], opened: [] };

async function scanProvider(ports: ScanPorts, record: ProviderRecord, { survey, ...seen }: Seen) {
  const { now } = seen;
  const { workspace_id: workspace, id } = record.provider;
  const { gaps, revision, snapshots } = await ports.gaps.current(workspace, id);
  const { normalizerVersion } = ports;
  const unresolved = await unresolvedAssets(ports, workspace, unresolvedDeliveries({ record, snapshots }));
  const surveyed = survey === null ? surveyedBefore(gaps) : (survey.get(id) ?? nothingSurveyed);
  const abandoned = await abandonedScopes(ports, record.provider, now);
  const feed = { record, snapshots, unresolved, normalizerVersion, surveyed, abandoned, ...seen };
  const review = reviewGaps(id, gaps, detectGaps(feed), now);
  // Another scan or an administrator came first: the next scan repeats it.
  const opened = review.changed.filter(({ opened_at }) => opened_at === now.toISOString());
  const written = { ...review, opened };
  const used = review.changed.length === 0 || (await ports.gaps.commit(workspace, id, { after: revision, ...written }));
  return { ...(used ? written : nothing), superseded: await supersedeHeld(ports, record, snapshots, now) };
}

const nothingSurveyed: Surveyed = { undeclared: null, lookAlikes: null };

function surveyedBefore(gaps: readonly Gap[]): Surveyed {
  const details = (type: GapType) => gaps.find(({ gap_type }) => gap_type === type)?.details;
  return {
    undeclared: details('undeclared_lineage')?.undeclared ?? null,
    lookAlikes: details('names_look_alike')?.look_alikes ?? null,
  };
}

/** A feed of many scopes names some of their assets: what is done about these leads to the others. */
const deliveriesRead = 5;

/** What deliveries left unresolved, the same reasons together. */
async function unresolvedAssets(
  { deliveries }: Pick<ScanPorts, 'deliveries'>,
  workspace: WorkspaceId,
  ids: readonly DeliveryId[],
): Promise<UnresolvedAssets[]> {
  const read = await Promise.all(ids.slice(0, deliveriesRead).map((id) => deliveries.get(workspace, id)));
  const found = read.flatMap((delivery) => delivery?.unresolved.filter(isUnresolvedAsset) ?? []);
  return [...Map.groupBy(found, ({ reason }) => reason)].map(([reason, all]) => {
    const names = firstNames(all.flatMap(({ assets }) => assets));
    const count = all.reduce((sum, one) => sum + one.count, 0);
    return unresolvedView({ reason, count, assets: [...names.assets], assets_left_out: count - names.assets.length });
  });
}

async function supersedeHeld(
  ports: ScanPorts,
  { provider }: ProviderRecord,
  snapshots: readonly SnapshotStatus[],
  now: Date,
): Promise<number> {
  let ended = 0;
  for (const mark of snapshots) {
    const id = overtaken(mark);
    if (id === null || mark.shrank === null) continue;
    const delivery = await ports.deliveries.get(provider.workspace_id, id);
    if (delivery?.state === 'held') {
      if (await finishDelivery(ports, delivery, { kind: 'superseded', warnings: delivery.warnings }, now)) ended++;
    }
    const feed = { workspace_id: provider.workspace_id, provider_instance_id: provider.id };
    await ports.snapshots.clearHeld(feed, mark.scope, mark.shrank.order);
  }
  return ended;
}

type Review = { readonly current: readonly Gap[]; readonly changed: readonly Gap[] };

/** Opens, resolves and updates gaps as detected. An ignored gap stays ignored until it is resolved. Idempotent. */
export function reviewGaps(
  provider: ProviderInstanceId,
  current: readonly Gap[],
  detected: readonly DetectedGap[],
  now: Date,
): Review {
  const at = now.toISOString();
  const resolved = current
    .filter((gap) => !detected.some(({ type }) => type === gap.gap_type))
    .map((gap): Gap => ({ ...gap, status: 'resolved', resolved_at: at }));
  const next = detected.map(({ type, details }): Gap => {
    const known = current.find((gap) => gap.gap_type === type);
    if (!known) {
      return {
        id: gapId(provider, type, now),
        gap_type: type,
        status: 'open',
        opened_at: at,
        resolved_at: null,
        details,
      };
    }
    return isDeepStrictEqual(known.details, details) ? known : { ...known, details };
  });
  return { current: next, changed: [...resolved, ...next.filter((gap) => !current.includes(gap))] };
}

/** 48 bits of time, so that ids sort by opening, then bits of a digest: two scans at once agree. */
function gapId(provider: ProviderInstanceId, type: GapType, now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  const digest = sha256(`${provider} ${type} ${time}`);
  return uuidOf(Buffer.concat([Buffer.from(time, 'hex'), digest]));
}
