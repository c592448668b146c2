import type { GraphId, ScopeId } from '../../shared/domain/lineage/graph/node.ts';
import type { Order } from '../../shared/domain/lineage/graph/order.ts';
import { emptyListing, type ScopeStore } from '../../shared/domain/lineage/graph/scope-store.ts';

/** Lets an order that a test claimed edges under take effect as a complete one that lists nothing. */
export async function takeEffect(
  scopes: Pick<ScopeStore, 'recordOrder' | 'commit'>,
  graph: GraphId,
  scope: ScopeId,
  order: Order,
  at = new Date().toISOString(),
): Promise<void> {
  const record = { complete: true, listing: emptyListing, retracted: 0, warnings: [], deliveryId: 'd' };
  await scopes.recordOrder(graph, scope, { order, at, content: '', ...record });
  await scopes.commit(graph, scope, { order, at, content: '', end: null, against: null });
}
