import type { Activity } from '../providers/activity.ts';

const minuteMs = 60_000;
/** A feed has recovered after so long without another failed item: in a feed of many jobs they recover one at a time. */
const recoveryMs = 12 * 60 * minuteMs;

/** When items of a feed failed, unless it has recovered since. Without a later success the failure counts as open, however old it is. */
export function itemFailureSince(
  { last_success_at: success }: Pick<Activity, 'last_success_at'>,
  lastAt: string | null,
) {
  if (lastAt === null) return null;
  return success !== null && Date.parse(success) - Date.parse(lastAt) >= recoveryMs ? null : lastAt;
}
