import type { ClaimWriter, DeadOrder, DetailStore, ScopeStore } from '../graph/ports.ts';
import { inParallel } from '../in-parallel.ts';
import { forgetOrder, pruneOrder } from '../projection/prune-order.ts';

export type CollectPorts = {
  readonly claims: Pick<ClaimWriter, 'prune' | 'forget'>;
  readonly details: Pick<DetailStore, 'forgetUpTo'>;
  readonly scopes: Pick<
    ScopeStore,
    'heads' | 'recorded' | 'predecessor' | 'retired' | 'revive' | 'pruned' | 'expired' | 'forget'
  >;
};

const ordersAtOnce = 160;
const inFlight = 4;

export type Collected = { readonly pruned: number; readonly forgotten: number; readonly failed: number };

type Run = {
  readonly now: Date;
  readonly timeIsUp: () => boolean;
  /** Told of an order that could not be collected: it waits for the next run, and the others do not wait for it. */
  readonly orderFailed: (dead: DeadOrder, error: unknown) => void;
};

/**
 * Makes history of dead orders, and forgets what has been history long enough, until nothing is left or the time is
 * up. An order that a run did not end waits in its index; done again it changes nothing.
 */
export async function collectDeadOrders(ports: CollectPorts, run: Run): Promise<Collected> {
  const pruned = await drain(
    () => ports.scopes.retired(ordersAtOnce),
    (dead) => pruneOrder(ports, dead, run.now),
    run,
  );
  const forgotten = await drain(
    () => ports.scopes.expired(run.now.toISOString(), ordersAtOnce),
    (dead) => forgetOrder(ports, dead),
    run,
  );
  return { pruned: pruned.done, forgotten: forgotten.done, failed: pruned.failed + forgotten.failed };
}

async function drain(
  find: () => Promise<readonly DeadOrder[]>,
  work: (dead: DeadOrder) => Promise<void>,
  { timeIsUp, orderFailed }: Run,
): Promise<{ readonly done: number; readonly failed: number }> {
  const seen = new Set<string>();
  let failed = 0;
  while (!timeIsUp()) {
    // The index is moments late: what it still lists was worked already.
    const found = (await find()).filter((dead) => !seen.has(nameOf(dead)));
    if (found.length === 0) break;
    await inParallel(inFlight, found, async (dead) => {
      if (timeIsUp()) return;
      seen.add(nameOf(dead));
      await work(dead).catch((error: unknown) => {
        failed++;
        orderFailed(dead, error);
      });
    });
  }
  return { done: seen.size - failed, failed };
}

const nameOf = ({ workspace, scope, order }: DeadOrder): string => `${workspace} ${scope} ${order}`;
