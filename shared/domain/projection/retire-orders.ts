import type { Order } from '../graph/order.ts';
import type { RetiredOrder, ScopeStore } from '../graph/scope-store.ts';
import type { Clock } from '../time/clock.ts';

type RetirePorts = { readonly scopes: Pick<ScopeStore, 'history' | 'retire'>; readonly clock: Clock };
type RetiredScope = Pick<RetiredOrder, 'workspace' | 'scope' | 'kind'>;

/** Puts the orders of a scope that are below its floor up for pruning. */
export async function retireBelow(
  { scopes, clock }: RetirePorts,
  scope: RetiredScope,
  { from, floor }: { readonly from: Order; readonly floor: Order },
): Promise<void> {
  const dead = (await scopes.history(scope.workspace, scope.scope, from)).filter(({ order }) => order < floor);
  await scopes.retire(
    dead.map(({ order }) => orderOf(scope, order)),
    { at: clock.now().toISOString() },
  );
}

/** The same for one order, also where it was pruned before. */
export const retireAgain = ({ scopes, clock }: RetirePorts, scope: RetiredScope, order: Order): Promise<void> =>
  scopes.retire([orderOf(scope, order)], { at: clock.now().toISOString(), again: true });

const orderOf = ({ workspace, scope, kind }: RetiredScope, order: Order): RetiredOrder => ({
  workspace,
  scope,
  kind,
  order,
});
