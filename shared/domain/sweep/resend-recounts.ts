import { inParallel } from '../in-parallel.ts';
import { type RecountQueue, type RecountStore, recountMessage } from '../policy/ports.ts';
import { dueAfterStep } from '../policy/schedule.ts';

/** The rest waits for the next run. */
const recountsARun = 200;
const inFlight = 8;

/** Asks again for the next step of recounts whose message was lost, or was never sent; answers how many were asked for. */
export async function resendRecounts(
  ports: { readonly recounts: Pick<RecountStore, 'due' | 'postpone'>; readonly queue: RecountQueue },
  now: Date,
): Promise<{ readonly resent: number; readonly unsent: number }> {
  const due = await ports.recounts.due(now.toISOString(), recountsARun);
  const outcomes = await inParallel(inFlight, due, async (recount) => {
    // Taken before it is sent: two sweeps at once send one message, and a send that fails comes due again.
    if (!(await ports.recounts.postpone(recount, now.toISOString(), dueAfterStep(now)))) return 'taken';
    return ports.queue.send(recountMessage(recount)).then(
      () => 'resent' as const,
      () => 'unsent' as const,
    );
  });
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  return { resent: count('resent'), unsent: count('unsent') };
}
