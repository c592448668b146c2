import { Problem } from '../../contract/problems.ts';

/** How long past times can be asked about (`as_of`), in days. */
export const historyDays = 90;

const dayMs = 86_400_000;
/** A caller's clock may run ahead of ours by so much: such a time is now. */
const clockSkewMs = 5_000;

/**
 * The moment that a question names, as ISO time. Throws `validation_error` where nothing is known of it: what is to
 * come, and what is older than history is kept (C-READ-4).
 *
 * @param path of the field, as JSON pointer
 */
export function momentOfHistory(text: string, now: Date, path: string): string {
  const at = Date.parse(text);
  if (at > now.getTime() + clockSkewMs || at < now.getTime() - historyDays * dayMs) {
    throw new Problem('validation_error', {
      errors: [{ path, message: `must be a time within the last ${historyDays} days` }],
    });
  }
  return new Date(Math.min(at, now.getTime())).toISOString();
}
