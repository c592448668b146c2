import { inParallel } from '../../base/concurrency.ts';
import type { RetiredOrder, ScopeStore } from '../../lineage/graph/scope-store.ts';
import { forgetOrder, pruneOrder } from '../../lineage/projection/prune-order.ts';

const inFlight = 4;

type PruneSummary = { readonly pruned: number; readonly forgotten: number; readonly failed: number };

type Run = {
  readonly now: Date;
  readonly timeIsUp: () => boolean;
  /** Called for an order that could not be pruned: it waits for the next run, and the others do not wait for it. */
  readonly onOrderFailed: (retired: RetiredOrder, error: unknown) => void;
};

/** Prunes and forgets until nothing is left or the time is up. Unfinished orders wait in their index. Idempotent. */
export async function pruneDeadOrders(
  ports: Parameters<typeof pruneOrder>[0] &
    Parameters<typeof forgetOrder>[0] & { readonly scopes: Pick<ScopeStore, 'retired' | 'expired'> },
  run: Run,
): Promise<PruneSummary> {
  const pruned = await processAll(ports.scopes.retired(), (retired) => pruneOrder(ports, retired, run.now), run);
  const expired = ports.scopes.expired(run.now.toISOString());
  const forgotten = await processAll(expired, (retired) => forgetOrder(ports, retired), run);
  return { pruned: pruned.done, forgotten: forgotten.done, failed: pruned.failed + forgotten.failed };
}

/** Goes on behind orders that fail, however many: they stay where they are in the index. */
async function processAll(
  batches: AsyncIterable<readonly RetiredOrder[]>,
  work: (retired: RetiredOrder) => Promise<void>,
  { timeIsUp, onOrderFailed }: Run,
): Promise<{ readonly done: number; readonly failed: number }> {
  let [done, failed] = [0, 0];
  for await (const batch of batches) {
    await inParallel(inFlight, batch, async (retired) => {
      if (timeIsUp()) return;
      try {
        await work(retired);
        done++;
      } catch (error) {
        failed++;
        onOrderFailed(retired, error);
      }
    });
    if (timeIsUp()) break;
  }
  return { done, failed };
}
