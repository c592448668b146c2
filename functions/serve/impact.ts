import type { impactRoutes } from '../../shared/contract/routes/impact.ts';
import { type ExplainPorts, explainEdge } from '../../shared/domain/explain/explain-edge.ts';
import { type AnswerPorts, answerImpact } from '../../shared/domain/impact/answer-impact.ts';
import { openGraph, type ReadingPorts } from '../../shared/domain/impact/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export type ServeImpactPorts = ReadingPorts & AnswerPorts & Pick<ExplainPorts, 'deliveries' | 'payloads'>;

const timeOf = (text: string | undefined): string | null => (text === undefined ? null : new Date(text).toISOString());

/** Serves questions about the graph. */
export const impactImplementations = (ports: ServeImpactPorts): Implementations<typeof impactRoutes> => ({
  getImpact: async ({ workspace, query, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const { connector, reading } = await openGraph(ports, workspace, query.connector_id, now);
      return answerImpact(reading, connector, {
        workspace,
        connectorId: connector.id,
        relationRef: query.relation_ref,
        columns: query.column_ref,
        direction: query.direction,
        maxDepth: query.max_depth,
        maxNodes: query.max_nodes,
        asOf: timeOf(query.as_of),
        includeStale: query.include_stale,
        minConfidence: query.min_confidence,
      });
    });
    return { status: 200, body: { ...answer, cost } };
  },
  explainEdge: async ({ workspace, query, now }) => {
    const { upstream, downstream, column_ref: column = null } = query;
    const { answer, cost } = await ports.metering(async () => {
      const { connector, reading } = await openGraph(ports, workspace, query.connector_id, now);
      const question = { workspace, upstream, downstream, column, asOf: timeOf(query.as_of) };
      return explainEdge(reading, connector, question);
    });
    return { status: 200, body: { ...answer, cost } };
  },
});
