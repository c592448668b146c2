import { inParallel } from '../../concurrency/in-parallel.ts';
import { type RecountQueue, type RecountStore, recountMessage } from '../../policy/ports.ts';
import type { Recount } from '../../policy/recount.ts';
import { dueAfterStep } from '../../policy/schedule.ts';

/** The rest waits for the next run. */
const recountsPerRun = 200;
const inFlight = 8;

/** Asks again for the next step of recounts whose message was lost, or was never sent; answers how many were asked for. */
export async function resendRecounts(
  ports: {
    readonly recounts: Pick<RecountStore, 'due' | 'reschedule'>;
    readonly queue: RecountQueue;
    /** Called for a send that failed: the recount comes due again. */
    readonly onRecountSendFailed: (recount: Recount, error: unknown) => void;
  },
  now: Date,
): Promise<{ readonly resent: number; readonly unsent: number }> {
  const due = await ports.recounts.due(now.toISOString(), recountsPerRun);
  const outcomes = await inParallel(inFlight, due, async (recount) => {
    // Taken before it is sent: two sweeps at once send one message, and a send that fails comes due again.
    if (!(await ports.recounts.reschedule(recount, now.toISOString(), dueAfterStep(now)))) return 'taken';
    try {
      await ports.queue.send(recountMessage(recount));
      return 'resent';
    } catch (error) {
      ports.onRecountSendFailed(recount, error);
      return 'unsent';
    }
  });
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  return { resent: count('resent'), unsent: count('unsent') };
}
