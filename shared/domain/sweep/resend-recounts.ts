import { inParallel } from '../in-parallel.ts';
import { type RecountQueue, type RecountStore, recountMessage } from '../policy/ports.ts';
import { dueAfterStep } from '../policy/schedule.ts';

/** The rest waits for the next run. */
const recountsARun = 200;
const inFlight = 8;

/** Asks again for the next step of recounts whose message was lost; answers how many. */
export async function resendRecounts(
  ports: { readonly recounts: Pick<RecountStore, 'due' | 'postpone'>; readonly queue: RecountQueue },
  now: Date,
): Promise<number> {
  const due = await ports.recounts.due(now.toISOString(), recountsARun);
  const sent = await inParallel(inFlight, due, async (recount) => {
    // Taken before it is sent: two sweeps at once send one message, and a send that fails comes due again.
    if (!(await ports.recounts.postpone(recount, now.toISOString(), dueAfterStep(now)))) return false;
    await ports.queue.send(recountMessage(recount));
    return true;
  });
  return sent.filter(Boolean).length;
}
