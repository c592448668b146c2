import { type CountEvents, type EventCount, sumCounts } from '../domain/events/event-counts.ts';

/** Counts at once what comes after a pause, and together, at its end, what comes during it. */
export function pausing(count: CountEvents, pauseMs: number): CountEvents {
  let waiting: readonly EventCount[] = [];
  let isPausing = false;
  const pause = () => {
    isPausing = true;
    // A process that has nothing else to do may end before: what then waits is lost.
    setTimeout(() => {
      isPausing = false;
      if (waiting.length > 0) void write();
    }, pauseMs).unref();
  };
  const write = () => {
    const due = sumCounts(waiting);
    waiting = [];
    pause();
    return count(due);
  };
  return async (counts) => {
    waiting = [...waiting, ...counts];
    if (!isPausing) await write();
  };
}
