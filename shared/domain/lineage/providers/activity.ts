import * as v from 'valibot';
import type { ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';

const time = v.optional(v.nullable(v.string()), null);

/** Times are UTC text. Merging is commutative and idempotent, so redelivered work changes nothing. */
export const Activity = v.object({
  last_event_at: time,
  last_received_at: time,
  last_accepted_at: time,
  last_processed_at: time,
  last_success_at: time,
  last_error_at: time,
  event_watermark: time,
  /** When a delivery last ended with unresolved or quarantined items. */
  last_unresolved_at: time,
  last_quarantined_at: time,
  /** When a snapshot was last held. */
  last_held_at: time,
  /** `<time>#<delivery id>` of the newest delivery with something unresolved. */
  unresolved_delivery: time,
  /** The newest version of the reading rules that worked one of its deliveries. */
  normalizer_version: v.optional(v.nullable(v.number()), null),
  /** The newest hours with deliveries, counted from 1970, newest first. */
  receipt_hours: v.optional(v.array(v.number()), []),
  /** `<time>#<delivery id>` of the newest failed deliveries, newest first. */
  failures: v.optional(v.array(v.string()), []),
});
export type Activity = v.InferOutput<typeof Activity>;

export const noActivity: Activity = v.parse(Activity, {});

/** Enough to know a habit of working days, in a list that a write can afford. */
export const maxHours = 168;

const hourMs = 3_600_000;

export const receiptAt = (at: string): Activity => ({
  ...noActivity,
  last_received_at: at,
  receipt_hours: [Math.floor(Date.parse(at) / hourMs)],
});

/** Consecutive failed deliveries that put a provider into `error`: C-PROVIDER-4. */
export const failuresToError = 3;

export type ActivityLog = {
  /** Adds to what is known of a provider's activity; stored when it resolves. */
  readonly record: (
    provider: { readonly workspace_id: WorkspaceId; readonly provider_instance_id: ProviderInstanceId },
    activity: Activity,
  ) => Promise<void>;
};

/** When a delivery last failed. */
export const lastFailure = ({ failures }: Activity): string | null => failures[0]?.split('#')[0] ?? null;

/** The later of each time, and the newest failures of both. */
export function mergeActivity(a: Activity, b: Activity): Activity {
  return {
    last_event_at: later(a.last_event_at, b.last_event_at),
    last_received_at: later(a.last_received_at, b.last_received_at),
    last_accepted_at: later(a.last_accepted_at, b.last_accepted_at),
    last_processed_at: later(a.last_processed_at, b.last_processed_at),
    last_success_at: later(a.last_success_at, b.last_success_at),
    last_error_at: later(a.last_error_at, b.last_error_at),
    event_watermark: later(a.event_watermark, b.event_watermark),
    last_unresolved_at: later(a.last_unresolved_at, b.last_unresolved_at),
    last_quarantined_at: later(a.last_quarantined_at, b.last_quarantined_at),
    last_held_at: later(a.last_held_at, b.last_held_at),
    unresolved_delivery: later(a.unresolved_delivery, b.unresolved_delivery),
    normalizer_version: greater(a.normalizer_version, b.normalizer_version),
    receipt_hours: newestHours([...a.receipt_hours, ...b.receipt_hours]),
    failures: [...new Set([...a.failures, ...b.failures])].sort().reverse().slice(0, failuresToError),
  };
}

/** The later of two times as UTC text, if there is one. */
export const later = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

const greater = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const newestHours = (hours: readonly number[]): number[] =>
  [...new Set(hours)].sort((a, b) => b - a).slice(0, maxHours);

/** Whether the newest deliveries failed, three in a row, since the last success and since `since`. */
export function isFailing(activity: Activity, since: string): boolean {
  const from = later(activity.last_success_at, since) ?? since;
  return activity.failures.filter((failure) => failure > from).length >= failuresToError;
}

/** When a snapshot of a feed was held, unless a release or a later snapshot followed. */
export const heldSince = ({ last_held_at: held, last_success_at: success }: Activity): string | null =>
  held !== null && (success ?? '') < held ? held : null;

/** A feed has recovered after so long without another failed item: in a feed of many jobs they recover one at a time. */
const recoveryMs = 12 * hourMs;

/** When items of a feed failed, unless it has recovered. Without a later success they count as failed, however old that is. */
export function itemFailureSince({ last_success_at: success }: Activity, lastAt: string | null): string | null {
  if (lastAt === null) return null;
  return success !== null && Date.parse(success) - Date.parse(lastAt) >= recoveryMs ? null : lastAt;
}
