const second = 1_000;
const minute = 60 * second;

/** A delivery that was begun so often and never ended is given up. */
export const maxAttempts = 5;

/** A message is normally worked long before: what is due by then was lost, or waits in a long queue. */
export const noticedAfterMs = minute;

/** Longer than a worker may run: fifteen minutes. */
const lease = 16 * minute;

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();

/** When the sweep looks at a delivery that was just sent. */
export const dueAfterSend = (now: Date): string => after(now, noticedAfterMs);

/** When the sweep looks at a delivery that a worker has begun. */
export const dueAfterBegin = (now: Date): string => after(now, lease);

/** When the sweep looks again at a delivery that it sent again `resends` times before: doubling, an hour at most. */
export const dueAfterResend = (now: Date, resends: number): string =>
  after(now, Math.min(60, 2 ** (resends + 1)) * minute);

/** How long to wait after the nth attempt failed: 5, 20, 80, 320 seconds. */
export const backoffSeconds = (attempts: number): number => Math.min(900, 5 * 4 ** (attempts - 1));
