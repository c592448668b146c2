import { mergedRuns } from '../domain/base/concurrency.ts';
import { type CountEvents, type EventCount, sumCounts } from '../domain/events/event-counts.ts';

/** Counts at once what comes after a pause, and together, at its end, what comes during it. */
export function pausing(count: CountEvents, pauseMs: number): CountEvents {
  let isPausing = false;
  const pause = async () => {
    isPausing = true;
    // A process that has nothing else to do may end before: what then waits is lost.
    await new Promise((end) => setTimeout(end, pauseMs).unref());
    isPausing = false;
  };
  const writes = mergedRuns<readonly EventCount[], void>((all) => sumCounts(all.flat()), { pause });
  return async (counts) => {
    const written = writes('', counts, count);
    if (!isPausing) await written;
  };
}
