import type { ClaimWriter, DeadOrder, ScopeStore } from '../graph/ports.ts';
import { listedEdges } from './listing.ts';

type PrunePorts = {
  readonly claims: Pick<ClaimWriter, 'prune'>;
  readonly scopes: Pick<ScopeStore, 'orders' | 'pruned'>;
  readonly clock: { readonly now: () => string };
};

const dayMs = 86_400_000;

/** Removes the claims of an order below its scope's floor: they are dead, so nobody sees the difference. */
export async function pruneOrder(
  ports: PrunePorts,
  dead: DeadOrder,
  history: { readonly keepDays: number },
): Promise<void> {
  const { workspace, scope, kind, order } = dead;
  const [record] = await ports.scopes.orders(workspace, scope, order);
  const edges = record?.order === order ? listedEdges(record.listing) : [];
  await ports.claims.prune(workspace, { kind, scope, order, edges, keep: history.keepDays > 0 });
  const now = Date.parse(ports.clock.now());
  await ports.scopes.pruned(dead, Math.floor((now + history.keepDays * dayMs) / 1000));
}
