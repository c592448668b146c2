import { type GraphRecords, type RewriteQueue, rewriteMessage } from '../../naming/ports.ts';

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
