/**
 * What a workspace's deliveries leave in one item, so that claims need no look at all of them: `touched`, a moment after
 * the newest acceptance; `until`, the moment before which nothing waited when somebody last looked, at `looked`, and
 * read the `touched` that `covers` holds; `lowered` rises with every acceptance that a look of the same time may have missed.
 */
export type EvidenceMark = {
  readonly touched: string;
  readonly until: string | null;
  readonly looked: string | null;
  readonly covers: string | null;
  readonly waits: boolean;
  readonly lowered: number;
};

/** A receipt is stored within so long of its `received_at`, or lowers the mark: a look covers what is older. */
export const lookMarginMs = 10_000;

/** How long the last look serves other claims: while nothing is accepted, and after that. Answers in a row agree. */
const [lookServesMs, oldLookServesMs] = [10_000, 1_500];

type Until = { readonly until: string; readonly waits: boolean };

/** What the mark tells, or null if somebody has to look at the deliveries that wait. */
export function untilOf(mark: EvidenceMark | null, now: Date): Until | null {
  // Nothing was ever accepted, or nothing since somebody looked.
  if (mark === null || (mark.until !== null && mark.until >= mark.touched))
    return { until: now.toISOString(), waits: false };
  const { until, looked, waits, covers, touched } = mark;
  if (until === null || looked === null) return null;
  const age = now.getTime() - Date.parse(looked);
  return age >= 0 && age <= (covers === touched ? lookServesMs : oldLookServesMs) ? { until, waits } : null;
}

/** What a look at `now` proves that found the oldest delivery that waits, if one does. */
export function untilSeen(oldest: string | null, now: Date): Until {
  const covered = new Date(now.getTime() - lookMarginMs).toISOString();
  return { until: oldest !== null && oldest < covered ? oldest : covered, waits: oldest !== null };
}
