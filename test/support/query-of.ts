import type { GraphId } from '../../shared/domain/lineage/graph/node.ts';
import { nothingForgotten } from '../../shared/domain/lineage/graph/order.ts';
import type { QueryContext } from '../../shared/domain/lineage/traversal/graph-view.ts';

/** A query of some stores about one graph. Nothing is forgotten, no connector is known and no read is too much, unless the test says so. */
export const queryOf = <R extends object>(reader: R, graph: GraphId, context: Partial<QueryContext> = {}) => ({
  reader,
  context: {
    graph,
    forgotten: nothingForgotten,
    connectors: new Map(),
    policies: new Map(),
    now: '',
    isSpent: () => false,
    ...context,
  } satisfies QueryContext,
});
