import type { diffRoutes } from '../../shared/contract/diff-routes.ts';
import { momentOfHistory } from '../../shared/domain/lineage/graph/order.ts';
import { diffBranch } from '../../shared/domain/lineage/queries/diff/diff-branch.ts';
import { diffTimes } from '../../shared/domain/lineage/queries/diff/diff-times.ts';
import { keepComparison, readComparison } from '../../shared/domain/lineage/queries/diff/kept-comparison.ts';
import { answerMetered, connectorIn } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { type Announce, ofComparison } from '../../shared/domain/notifications/happenings.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const diffImplementations = (
  ports: Parameters<typeof diffBranch>[0] & Parameters<typeof keepComparison>[0] & { readonly announce: Announce },
): Implementations<typeof diffRoutes> => ({
  diffTimes: async ({ workspace, query, now }) =>
    answerMetered(ports, { workspace, now }, (graph) =>
      diffTimes(graph, connectorIn(graph, query.connector_id), {
        workspace,
        from: momentOfHistory(query.from, now, '/query/from'),
        to: query.to === undefined ? null : momentOfHistory(query.to, now, '/query/to'),
        maxDepth: query.max_depth,
        maxNodes: query.max_nodes,
        limit: query.limit,
        cursor: query.cursor ?? null,
      }),
    ),
  diffProject: async ({ workspace, body, now }) => {
    const diff = await keepComparison(ports, workspace, await diffBranch(ports, workspace, body, now), now);
    const notification = ofComparison({ connector: body.connector_id, now, diff });
    if (notification) await ports.announce(workspace, notification);
    return diff;
  },
  readComparison: async ({ workspace, params, now }) => readComparison(ports, workspace, params.comparison_id, now),
});
