import { limits } from '../../shared/contract/limits.ts';
import type { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { momentOfHistory } from '../../shared/domain/graph/history.ts';
import { type DiffProjectPorts, diffProject } from '../../shared/domain/queries/diff/diff-project.ts';
import { diffTimes } from '../../shared/domain/queries/diff/diff-times.ts';
import type { ColumnMapPorts } from '../../shared/domain/queries/diff/maps-at.ts';
import type { Cost, Metering } from '../../shared/domain/queries/metering.ts';
import type { IsSpent } from '../../shared/domain/traversal/evaluate.ts';
import { type GraphQueryPorts, openGraph } from '../../shared/domain/traversal/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ServeDiffPorts = GraphQueryPorts &
  Pick<DiffProjectPorts, 'scopes' | 'details'> &
  ColumnMapPorts & { readonly metering: Metering };

const isSpent =
  (spent: () => Cost): IsSpent =>
  (share = 1) =>
    spent().requests >= share * limits.diff.requests;

/** Serves the comparisons. */
export const diffImplementations = (ports: ServeDiffPorts): Implementations<typeof diffRoutes> => ({
  diffTimes: async ({ workspace, query, now }) => {
    const { answer, cost } = await ports.metering(async (spent) => {
      const { connector, reading } = await openGraph(ports, workspace, query.connector_id, now);
      return diffTimes({ ...reading, isSpent: isSpent(spent) }, connector, {
        workspace,
        from: momentOfHistory(query.from, now, '/query/from'),
        to: query.to === undefined ? null : momentOfHistory(query.to, now, '/query/to'),
        maxDepth: query.max_depth,
        maxNodes: query.max_nodes,
        limit: query.limit,
        cursor: query.cursor ?? null,
      });
    });
    return { status: 200, body: { ...answer, cost } };
  },
  diffProject: async ({ workspace, body, now }) => {
    const { answer, cost } = await ports.metering(async (spent) => {
      const { connector, reading } = await openGraph(ports, workspace, body.connector_id, now);
      return diffProject({ ...reading, isSpent: isSpent(spent) }, connector, workspace, body);
    });
    return { status: 200, body: { ...answer, cost } };
  },
});
