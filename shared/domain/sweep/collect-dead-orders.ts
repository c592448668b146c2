import type { ClaimWriter, DeadOrder, DetailStore, ScopeStore } from '../graph/ports.ts';
import { inParallel } from '../in-parallel.ts';
import { forgetOrder, pruneOrder } from '../projection/prune-order.ts';

export type CollectPorts = {
  readonly claims: Pick<ClaimWriter, 'prune' | 'forget'>;
  readonly details: Pick<DetailStore, 'forgetUpTo'>;
  readonly scopes: Pick<ScopeStore, 'recorded' | 'predecessor' | 'retired' | 'pruned' | 'expired' | 'forget'>;
};

const ordersAtOnce = 160;
const inFlight = 4;

export type Collected = { readonly pruned: number; readonly forgotten: number };

/**
 * Makes history of dead orders, and forgets what has been history long enough, until nothing is left or the time is
 * up. An order that a run did not end waits in its index; done again it changes nothing.
 */
export async function collectDeadOrders(ports: CollectPorts, now: Date, timeIsUp: () => boolean): Promise<Collected> {
  const pruned = await drain(
    () => ports.scopes.retired(ordersAtOnce),
    (dead) => pruneOrder(ports, dead, now),
    timeIsUp,
  );
  const forgotten = await drain(
    () => ports.scopes.expired(now.toISOString(), ordersAtOnce),
    (dead) => forgetOrder(ports, dead),
    timeIsUp,
  );
  return { pruned, forgotten };
}

async function drain(
  find: () => Promise<readonly DeadOrder[]>,
  work: (dead: DeadOrder) => Promise<void>,
  timeIsUp: () => boolean,
): Promise<number> {
  const done = new Set<string>();
  while (!timeIsUp()) {
    // The index is moments late: what it still lists was worked already.
    const found = (await find()).filter((dead) => !done.has(nameOf(dead)));
    if (found.length === 0) break;
    await inParallel(inFlight, found, async (dead) => {
      if (timeIsUp()) return;
      await work(dead);
      done.add(nameOf(dead));
    });
  }
  return done.size;
}

const nameOf = ({ workspace, scope, order }: DeadOrder): string => `${workspace} ${scope} ${order}`;
