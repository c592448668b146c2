import type { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { momentOfHistory } from '../../shared/domain/graph/history.ts';
import { type DiffProjectPorts, diffProject } from '../../shared/domain/queries/diff/diff-project.ts';
import { diffTimes } from '../../shared/domain/queries/diff/diff-times.ts';
import type { ColumnMapPorts } from '../../shared/domain/queries/diff/maps-at.ts';
import type { Metering } from '../../shared/domain/queries/metering.ts';
import { type GraphQueryPorts, openGraph } from '../../shared/domain/traversal/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ServeDiffPorts = GraphQueryPorts &
  Pick<DiffProjectPorts, 'scopes' | 'details'> &
  ColumnMapPorts & { readonly metering: Metering };

/** Serves the comparisons. */
export const diffImplementations = (ports: ServeDiffPorts): Implementations<typeof diffRoutes> => ({
  diffTimes: async ({ workspace, query, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const { connector, reading } = await openGraph(ports, workspace, query.connector_id, now);
      return diffTimes(reading, connector, {
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
    const { answer, cost } = await ports.metering(async () => {
      const { connector, reading } = await openGraph(ports, workspace, body.connector_id, now);
      return diffProject(reading, connector, workspace, body);
    });
    return { status: 200, body: { ...answer, cost } };
  },
});
