import type { GapDetails } from '../../../contract/gaps.ts';
import type { GapType } from '../../../contract/vocabulary.ts';
import { isShrunk, type SnapshotStatus } from '../../projection/snapshot-status.ts';
import { later } from '../../providers/activity.ts';
import type { Backlog, ProviderRecord } from '../../providers/provider.ts';
import { cadenceOf } from './cadence.ts';

/** All that is known of a feed when it is looked at. */
type Condition = {
  readonly record: ProviderRecord;
  readonly backlog: Backlog;
  readonly snapshots: readonly SnapshotStatus[];
  /** The version by which deliveries are read now. */
  readonly normalizerVersion: number;
  readonly now: Date;
};

/** What a feed falls short in, and the figures that say so. */
export type Sign = { readonly type: GapType; readonly details: GapDetails };

const minuteMs = 60_000;
/** A message that waits longer was lost, or its queue is too long. */
const backlogPatienceMs = 15 * minuteMs;
/** So long a feed has to work without leftovers before they count as over: feeds of many jobs mend one at a time. */
const quietMs = 12 * 60 * minuteMs;

/** What a feed falls short in now, at most one of a type: C-GAP-1, C-GAP-2. */
export function signsOf(condition: Condition): Sign[] {
  const { record, backlog } = condition;
  const { activity } = record;
  const figures = {
    cadence: cadenceOf(activity.receipt_hours),
    last_receipt: later(activity.last_received_at, backlog.newest),
    backlog: backlog.count,
    normalizer_version: activity.normalizer_version === null ? null : String(activity.normalizer_version),
  };
  const reasons: Readonly<Record<GapType, string | null>> = {
    silent_provider: silence(condition, figures),
    backlog: waiting(condition),
    unresolved_assets: leftover(condition, activity.last_unresolved_at, 'assets_not_resolved'),
    quarantined_items: leftover(condition, activity.last_quarantined_at, 'items_not_understood'),
    outdated_normalizer: outdated(condition),
    snapshot_shrank: shrinking(condition),
  };
  const types = Object.keys(reasons) as GapType[];
  return types.flatMap((type) => {
    const reason = reasons[type];
    return reason === null ? [] : [{ type, details: { ...figures, reason } }];
  });
}

type Figures = Pick<GapDetails, 'cadence' | 'last_receipt'>;

/** A feed that was told to stop is not silent. */
function silence(
  { record, now }: Pick<Condition, 'record' | 'now'>,
  { cadence, last_receipt }: Figures,
): string | null {
  if (record.provider.status !== 'active' || cadence === null || last_receipt === null) return null;
  const silentMs = now.getTime() - Date.parse(last_receipt);
  return silentMs > 2_000 * cadence ? 'nothing_within_twice_the_cadence' : null;
}

/** Whether nothing of the feed was worked within twice its cadence. */
export const isSilent = (record: ProviderRecord, now: Date): boolean => {
  const { receipt_hours, last_received_at } = record.activity;
  return silence({ record, now }, { cadence: cadenceOf(receipt_hours), last_receipt: last_received_at }) !== null;
};

const waiting = ({ backlog: { oldest }, now }: Condition): string | null =>
  oldest !== null && Date.parse(oldest) < now.getTime() - backlogPatienceMs ? 'oldest_delivery_waits_too_long' : null;

/** Without later success nothing says that the leftover is mended, however long ago it was. */
function leftover({ record }: Condition, lastAt: string | null, reason: string): string | null {
  if (lastAt === null) return null;
  const success = record.activity.last_success_at;
  const isOver = success !== null && Date.parse(success) - Date.parse(lastAt) >= quietMs;
  return isOver ? null : reason;
}

function outdated({ record: { activity }, normalizerVersion }: Condition): string | null {
  const version = activity.normalizer_version;
  return version !== null && version < normalizerVersion ? 'worked_by_older_rules' : null;
}

function shrinking({ snapshots }: Condition): string | null {
  const shrunk = snapshots.filter(isShrunk);
  if (shrunk.length === 0) return null;
  return shrunk.some(({ shrank }) => shrank?.held) ? 'snapshot_held_by_the_shrink_guard' : 'snapshot_retracted_much';
}
