import { type ClaimLimit, type LimitCode, limitOf } from '../../../../contract/claim.ts';
import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import { limits } from '../../../../contract/limits.ts';
import { providerNames } from '../../../../contract/provider-names.ts';
import type { QuietReason } from '../../../../contract/vocabulary.ts';
import { isSilent } from '../../gaps/ports.ts';
import { heldSince, itemFailureSince, lastFailure } from '../../providers/activity.ts';
import { type CurrentGap, type ProviderRecord, type Sources, statusOf } from '../../providers/provider.ts';
import type { GraphQuery, QueryContext } from '../../traversal/graph-view.ts';

type Question = {
  /** The connectors on the way; null: any. */
  readonly owners: ReadonlySet<string> | null;
  readonly context: Pick<QueryContext, 'now'>;
  /** A past time, or null for now. */
  readonly asOf: string | null;
  /** The references of the relations whose readers matter, or their inputs. */
  readonly relations: readonly string[];
};

/** The sources of a workspace, whose names tell the feeds apart. */
export async function namedSources(
  { reader, context }: GraphQuery<'sources'>,
  workspace: WorkspaceId,
): Promise<Sources> {
  const sources = await reader.sources(workspace, new Date(context.now));
  // A graph that an upgrade emptied lacks all that was delivered before.
  const until = context.incomplete ? new Date(0).toISOString() : sources.until;
  return { ...sources, until, records: namedApart(sources.records, context) };
}

/** What of the sources limits a claim: deliveries that wait, or that failed on the way (C-CLAIM-4). */
export function sourceLimits(sources: Sources, { owners, context, asOf, relations }: Question): ClaimLimit[] {
  const { records, isWhole, until } = sources;
  const { now } = context;
  const onTheWay = records.filter(
    ({ provider: { connector_id: owner } }) => owner === null || (owners?.has(owner) ?? true),
  );
  const alike = lookAlikeLimits(sources, relations);
  if (until === null) return [limitOf('files_only'), ...gapLimits(onTheWay), ...alike];
  const isLate = Date.parse(asOf ?? now) - Date.parse(until) > limits.claim.maxAgeSeconds * 1_000;
  return [
    ...(isLate ? [limitOf('evidence_waits', { detail: until })] : []),
    ...(isWhole ? [] : [limitOf('sources_not_checked')]),
    ...gapLimits(onTheWay),
    ...quietLimits(onTheWay, new Date(now)),
    ...alike,
  ];
}

/** Records whose names tell the feeds apart, as lists of feeds name them. */
export function namedApart(
  records: readonly ProviderRecord[],
  { connectors }: Pick<QueryContext, 'connectors'>,
): readonly ProviderRecord[] {
  const names = providerNames(
    records.map(({ provider }) => provider),
    (id) => connectors.get(id as ConnectorId)?.name,
  );
  return records.map((record) => {
    const display_name = names.get(record.provider.id) ?? record.provider.display_name;
    return { ...record, provider: { ...record.provider, display_name } };
  });
}

type Failure = { readonly code: LimitCode; readonly since: string; readonly source: string };

function gapLimits(records: readonly ProviderRecord[]): ClaimLimit[] {
  const failures = records.flatMap(failuresOf);
  return [...Map.groupBy(failures, ({ code }) => code)].map(([code, all]) => {
    const [first = ''] = all.map(({ since }) => since).sort();
    return limitOf(code, { subjects: [...new Set(all.map(({ source }) => source))], detail: first });
  });
}

/** Failures that nobody ignores: what the feed itself tells counts before a scan has found it. */
function failuresOf({ provider, activity, counters: { gaps } }: ProviderRecord): Failure[] {
  const failed = itemFailureSince(activity, lastFailure(activity));
  const quarantined = itemFailureSince(activity, activity.last_quarantined_at);
  const [items] = gaps.filter(({ gap_type }) => gap_type === 'quarantined_items');
  const held = gaps.find(isHeld);
  const found: readonly (readonly [LimitCode, string | null, CurrentGap | undefined])[] = [
    ['delivery_failed', failed, items],
    ['delivery_quarantined', quarantined, items],
    ['delivery_held', held?.opened_at ?? heldSince(activity), held],
  ];
  return found.flatMap(([code, since, gap]) =>
    since === null || gap?.status === 'ignored' ? [] : [{ code, since, source: provider.display_name }],
  );
}

const isHeld = ({ gap_type, reason }: CurrentGap): boolean =>
  gap_type === 'snapshot_shrank' && reason === 'snapshot_held_by_the_shrink_guard';

/** Names that look like one of the answer and do not meet it: what uses them is not counted (C-GAP-14). */
function lookAlikeLimits({ records, lookAlikes = [] }: Sources, relations: readonly string[]): ClaimLimit[] {
  const open = records.flatMap(({ counters: { gaps } }) => gaps.filter(({ status }) => status === 'open'));
  const found = open.flatMap(({ look_alikes }) => look_alikes ?? []);
  const pairs = [...lookAlikes, ...found.flatMap((one) => one.pairs)];
  if (pairs.length === 0 || relations.length === 0) return [];
  const known = new Set(relations);
  const apart = pairs.filter(({ name, looks_like }) => known.has(name) !== known.has(looks_like));
  const subjects = [...new Set(apart.map(({ name, looks_like }) => (known.has(name) ? looks_like : name)))].sort();
  const detail = apart.find(({ command }) => command !== null)?.command ?? '';
  const unlisted = found.reduce((sum, one) => sum + one.count - one.pairs.length, 0);
  return [
    ...(subjects.length > 0 ? [limitOf('names_look_alike', { subjects, detail })] : []),
    ...(unlisted > 0 ? [limitOf('look_alikes_not_compared', { count: unlisted })] : []),
  ];
}

function quietLimits(records: readonly ProviderRecord[], now: Date): ClaimLimit[] {
  const quiet = records.flatMap((record) => {
    const reason = quietReason(record, now);
    return reason === null ? [] : [{ reason, source: record.provider.display_name }];
  });
  return [...Map.groupBy(quiet, ({ reason }) => reason)].map(([reason, all]) =>
    limitOf('source_quiet', {
      subjects: all.map(({ source }) => source),
      detail: reason === 'error' ? 'failing' : reason,
    }),
  );
}

export function quietReason(record: ProviderRecord, now: Date): QuietReason | null {
  const status = statusOf(record);
  if (status !== 'active') return status;
  return isSilent(record, now) ? 'silent' : null;
}
