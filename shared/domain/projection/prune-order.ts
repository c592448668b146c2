import { historyDays } from '../graph/history.ts';
import type { ClaimWriter, DetailStore, RetiredClaims, RetiredOrder, ScopeStore } from '../graph/ports.ts';
import { describedNodes, type ListedEdge, listedEdges } from './listing.ts';

const dayMs = 86_400_000;

/** Makes history of the claims of an order below its scope's floor: they are dead, so nobody sees the difference. */
export async function pruneOrder(
  ports: {
    readonly claims: Pick<ClaimWriter, 'prune'>;
    readonly scopes: Pick<ScopeStore, 'heads' | 'recorded' | 'predecessor' | 'pruned' | 'unretire'>;
  },
  dead: RetiredOrder,
  now: Date,
): Promise<void> {
  const { workspace, scope, order } = dead;
  const [head] = await ports.scopes.heads(workspace, [scope], { consistent: true });
  // Floors only rise: what is below now stays below.
  if (!head || order >= head.floor) return ports.scopes.unretire(dead);
  const continuesOrder = await ports.scopes.predecessor(workspace, scope, order);
  await ports.claims.prune(workspace, { ...dead, ...(await listedBy(ports, dead)), continuesOrder });
  await ports.scopes.pruned(dead, new Date(now.getTime() + historyDays * dayMs).toISOString());
}

/** Removes the last of a pruned order: its history, the details that nothing newer took over, and its listing. */
export async function forgetOrder(
  ports: {
    readonly claims: Pick<ClaimWriter, 'forget'>;
    readonly details: Pick<DetailStore, 'forgetUpTo'>;
    readonly scopes: Pick<ScopeStore, 'recorded' | 'forget'>;
  },
  dead: RetiredOrder,
): Promise<void> {
  const { workspace, scope, order } = dead;
  const { edges, described } = await listedBy(ports, dead);
  await ports.claims.forget(workspace, { ...dead, edges, described });
  await ports.details.forgetUpTo(
    workspace,
    edges.map(({ from, to }) => ({ from, to, scope })),
    order,
  );
  await ports.scopes.forget(dead);
}

async function listedBy(
  { scopes }: { readonly scopes: Pick<ScopeStore, 'recorded'> },
  { workspace, scope, order }: RetiredOrder,
): Promise<Pick<RetiredClaims, 'described'> & { readonly edges: ListedEdge[] }> {
  const record = await scopes.recorded(workspace, scope, order);
  if (!record) return { edges: [], described: [] };
  return { edges: listedEdges(record.listing), described: describedNodes(record.listing) };
}
