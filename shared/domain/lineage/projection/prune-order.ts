import type { ClaimWriter, RetiredClaims } from '../graph/claim-writer.ts';
import type { DerivationStore } from '../graph/derivation.ts';
import type { NodeId } from '../graph/node.ts';
import { historyDays, type Order } from '../graph/order.ts';
import { type ClaimPlace, claimName, listedSchemas, removalsOf } from '../graph/removals.ts';
import type { OrderEnd, RetiredOrder, ScopeStore } from '../graph/scope-store.ts';
import { type ListedEdge, listedEdges } from './listing.ts';

const dayMs = 86_400_000;

/** Makes history of the claims of an order below its scope's floor: they are dead, so nobody sees the difference. */
export async function pruneOrder(
  ports: {
    readonly claims: Pick<ClaimWriter, 'prune'>;
    readonly scopes: Pick<ScopeStore, 'heads' | 'recorded' | 'predecessor' | 'ends' | 'pruned' | 'unretire'>;
  },
  dead: RetiredOrder,
  now: Date,
): Promise<void> {
  const { graph, scope, order } = dead;
  const [head] = await ports.scopes.heads(graph, [scope], { consistent: true });
  // Floors only rise: what is below now stays below.
  if (!head || order >= head.floor) return ports.scopes.unretire(dead);
  const continuesOrder = await ports.scopes.predecessor(graph, scope, order);
  const ends = await ports.scopes.ends(graph, scope, { after: order, until: null });
  const lastOrder = lastOrderOf(order, ends);
  await ports.claims.prune(graph, { ...dead, ...(await listedBy(ports, dead)), continuesOrder, lastOrder });
  await ports.scopes.pruned(dead, new Date(now.getTime() + historyDays * dayMs).toISOString());
}

/** The last live order of a dead order's claim. */
function lastOrderOf(order: Order, ends: readonly OrderEnd[]): (place: ClaimPlace, other: NodeId) => Order {
  const whole = ends.find(({ removed }) => removed === null);
  const removals = removalsOf(ends);
  const byOrder = new Map(ends.map((end) => [end.order, end]));
  return (place, other) => {
    const [removal] = removals.get(claimName(place, other)) ?? [];
    const end = removal === undefined ? whole : byOrder.get(removal);
    // A floor above the order: it ended before what is known of ends, and no other took it over.
    return end !== undefined && end.floor <= order && end.before > order ? end.before : order;
  };
}

/** Removes the last of a pruned order: its history, the details that nothing newer took over, what it stated, and its listing. */
export async function forgetOrder(
  ports: {
    readonly claims: Pick<ClaimWriter, 'forget' | 'forgetDetails'>;
    readonly derivations: Pick<DerivationStore, 'remove'>;
    readonly scopes: Pick<ScopeStore, 'recorded' | 'forget'>;
  },
  dead: RetiredOrder,
): Promise<void> {
  const { graph, scope, kind, order } = dead;
  const { edges, described } = await listedBy(ports, dead);
  // Before the claims: with the last of these an item goes that holds nothing else.
  await ports.claims.forgetDetails(
    graph,
    edges.map(({ from, to }) => ({ from, to, scope })),
    order,
  );
  await ports.claims.forget(graph, { ...dead, edges, described });
  if (kind === 'snapshot') await ports.derivations.remove(graph, { scope, order });
  await ports.scopes.forget(dead);
}

async function listedBy(
  { scopes }: { readonly scopes: Pick<ScopeStore, 'recorded'> },
  { graph, scope, order }: RetiredOrder,
): Promise<Pick<RetiredClaims, 'described'> & { readonly edges: ListedEdge[] }> {
  const record = await scopes.recorded(graph, scope, order);
  const listings = record ? [record.listing, ...record.also] : [];
  return { edges: listings.flatMap(listedEdges), described: listings.flatMap(listedSchemas).map(({ node }) => node) };
}
