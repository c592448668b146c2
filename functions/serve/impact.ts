import type { impactRoutes } from '../../shared/contract/routes/impact.ts';
import { type AnswerPorts, answerImpact } from '../../shared/domain/impact/answer-impact.ts';
import { openGraph, type ReadingPorts } from '../../shared/domain/impact/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export type ServeImpactPorts = ReadingPorts & AnswerPorts;

/** Serves impact. */
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
        asOf: query.as_of === undefined ? null : new Date(query.as_of).toISOString(),
        includeStale: query.include_stale,
        minConfidence: query.min_confidence,
      });
    });
    return { status: 200, body: { ...answer, cost } };
  },
});
