/** A queue and what works it: messages a second that come, and that are worked at a time, in seconds from the start. */
type Flow = { readonly arriving: (second: number) => number; readonly worked: (second: number) => number };

export type Backlog = { readonly most: number; readonly atEnd: number; readonly emptySecond: number | null };

/** What waits, second by second, until all is worked or a time is over. */
export function backlogOf({ arriving, worked }: Flow, sendingSeconds: number, atMostSeconds: number): Backlog {
  let [waiting, most, atEnd] = [0, 0, 0];
  for (let second = 0; second < atMostSeconds; second++) {
    waiting = Math.max(0, waiting + (second < sendingSeconds ? arriving(second) : 0) - worked(second));
    most = Math.max(most, waiting);
    if (second === sendingSeconds - 1) atEnd = waiting;
    if (second >= sendingSeconds - 1 && waiting === 0) return { most, atEnd, emptySecond: second + 1 };
  }
  return { most, atEnd, emptySecond: null };
}

/**
 * Units a second that an on-demand table takes whose load began with `units`: a new one what it is warmed for, and twice
 * what it had taken so far in each period; never more than the quota.
 */
export const onDemand =
  (warm: number, { quota, doublesMinutes }: { readonly quota: number; readonly doublesMinutes: number }) =>
  (second: number): number =>
    Math.min(quota, warm * 2 ** Math.floor(second / 60 / doublesMinutes));
