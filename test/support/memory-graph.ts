import { fileGraph } from '../../shared/domain/lineage/files/file-graph.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import type { Order } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { edgesOf } from '../../shared/domain/lineage/projection/edges.ts';

/** The graph of one complete snapshot, in memory: what properties of reads are tried on by the hundred. */
export function memoryGraph(identity: ScopeIdentity, at: string, derivations: readonly Derivation[]) {
  const edges = edgesOf(derivations, { deliveryId: '', observedAt: at, unmappedIsUnknown: false });
  const files = [{ identity, at, deliveryId: 'd', edges, declared: { relations: [], schemas: new Map() } }];
  return fileGraph(files, { facts: new Map(), unfinished: [], records: [], lookAlikes: () => [] });
}

/** A head whose newest order was loaded as a whole. */
export const unchangedSince = (order: Order) => ({
  listed: order,
  restatedBy: null,
  removedAt: null,
  version: 0,
  changes: { orders: 0, removals: 0 },
});
