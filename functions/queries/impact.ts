import type { impactRoutes } from '../../shared/contract/explain.ts';
import { momentOfHistory } from '../../shared/domain/lineage/graph/order.ts';
import { explainEdge } from '../../shared/domain/lineage/queries/explain/explain-edge.ts';
import { answerImpact } from '../../shared/domain/lineage/queries/impact/answer-impact.ts';
import {
  answerMetered,
  connectorIn,
  namedConnector,
  type QueryReader,
} from '../../shared/domain/lineage/traversal/open-graph.ts';
import type { GraphReader, Metering } from '../../shared/domain/lineage/traversal/ports.ts';
import { answeredWhole } from '../../shared/domain/lineage/traversal/visible-details.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ImpactReader = QueryReader & Pick<GraphReader, 'names' | 'providers'> & { readonly metering: Metering };

const asOf = (text: string | undefined, now: Date): string | null =>
  text === undefined ? null : momentOfHistory(text, now, '/query/as_of');

export const impactImplementations = (reader: ImpactReader): Implementations<typeof impactRoutes> => ({
  getImpact: async ({ workspace, query, now }) => {
    const body = await answerMetered(reader, { workspace, now }, (graph) => {
      const connector = connectorIn(graph, query.connector_id);
      return answerImpact(graph, connector, {
        workspace,
        connectorId: connector.id,
        relationRef: query.relation_ref,
        columns: query.column_ref,
        direction: query.direction,
        maxDepth: query.max_depth,
        maxNodes: query.max_nodes,
        asOf: asOf(query.as_of, now),
        includeStale: query.include_stale,
        minConfidence: query.min_confidence,
        influence: query.influence,
        verdicts: query.verdict,
      });
    });
    return { status: 200, body };
  },
  explainEdge: async ({ workspace, query, now }) => {
    const { upstream, downstream, column_ref: column = null } = query;
    const body = await answerMetered(reader, { workspace, now }, (graph) => {
      const connector = namedConnector(graph, query.connector_id);
      const question = { workspace, upstream, downstream, column, asOf: asOf(query.as_of, now) };
      return answeredWhole(graph, (consistent) => explainEdge(consistent, connector, question));
    });
    return { status: 200, body };
  },
});
