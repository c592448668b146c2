import { inParallel } from '../../base/concurrency.ts';
import { type GraphRecords, type RewriteQueue, rewriteMessage } from '../../lineage/generations/graph-record.ts';
import { type RecountQueue, type RecountStore, recountMessage } from '../../lineage/policy/ports.ts';
import type { Recount } from '../../lineage/policy/recount.ts';
import { dueAfterStep } from '../../lineage/policy/set-policy.ts';

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

/** The rest waits for the next run. */
const rewritesPerRun = 100;
const lostAfterMs = 10 * 60_000;

/** Asks again for the next step of rewrites whose message was lost, or whose time has come; answers how many. */
export async function resendRewrites(
  { graphs, queue }: { readonly graphs: GraphRecords; readonly queue: RewriteQueue },
  now: Date,
): Promise<number> {
  let resent = 0;
  for (const { workspace_id, step } of await graphs.due(now.toISOString(), rewritesPerRun)) {
    const found = await graphs.find(workspace_id);
    if (!found || found.record.step !== step) continue;
    const due_at = new Date(now.getTime() + lostAfterMs).toISOString();
    // Taken before it is sent: two sweeps at once send one message.
    if (!(await graphs.advance(found, { ...found.record, due_at }))) continue;
    await queue.send(rewriteMessage(found.record));
    resent++;
  }
  return resent;
}
