import type { impactRoutes } from '../../shared/contract/explain.ts';
import { momentOfHistory } from '../../shared/domain/lineage/graph/order.ts';
import type { SourcePorts } from '../../shared/domain/lineage/queries/explain/evidence-sources.ts';
import { explainEdge } from '../../shared/domain/lineage/queries/explain/explain-edge.ts';
import { type AnswerPorts, answerImpact } from '../../shared/domain/lineage/queries/impact/answer-impact.ts';
import {
  connectorIn,
  type GraphQueryPorts,
  namedConnector,
  openGraphWithPast,
} from '../../shared/domain/lineage/traversal/open-graph.ts';
import { answeredWhole } from '../../shared/domain/lineage/traversal/visible-details.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ServeImpactPorts = GraphQueryPorts & AnswerPorts & SourcePorts;

const asOf = (text: string | undefined, now: Date): string | null =>
  text === undefined ? null : momentOfHistory(text, now, '/query/as_of');

export const impactImplementations = (ports: ServeImpactPorts): Implementations<typeof impactRoutes> => ({
  getImpact: async ({ workspace, query, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const reading = await openGraphWithPast(ports, workspace, now);
      const connector = connectorIn(reading, query.connector_id);
      return answerImpact(reading, connector, {
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
      });
    });
    return { status: 200, body: { ...answer, cost } };
  },
  explainEdge: async ({ workspace, query, now }) => {
    const { upstream, downstream, column_ref: column = null } = query;
    const { answer, cost } = await ports.metering(async () => {
      const reading = await openGraphWithPast(ports, workspace, now);
      const connector = namedConnector(reading, query.connector_id);
      const question = { workspace, upstream, downstream, column, asOf: asOf(query.as_of, now) };
      return answeredWhole(reading, (consistent) => explainEdge(consistent, connector, question));
    });
    return { status: 200, body: { ...answer, cost } };
  },
});
