import type { EdgeInScope, FoundDetail } from '../../shared/domain/lineage/graph/derivation.ts';
import type { GraphId } from '../../shared/domain/lineage/graph/node.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import type { graphPorts } from './graph-ports.ts';
import { queryOf } from './query-of.ts';

/** The details of edges that are stored now, as a question that begins now reads them. */
export const readDetails = (
  ports: ReturnType<typeof graphPorts>,
  graph: GraphId,
  edges: readonly EdgeInScope[],
): Promise<FoundDetail[]> => graphView(queryOf(ports, graph), null).readDetails(edges);
