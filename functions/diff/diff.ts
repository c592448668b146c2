import type { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { type DiffProjectPorts, diffProject } from '../../shared/domain/diff/diff-project.ts';
import { diffTimes } from '../../shared/domain/diff/diff-times.ts';
import type { MapPorts } from '../../shared/domain/diff/maps-at.ts';
import { openGraph, type ReadingPorts } from '../../shared/domain/impact/open-graph.ts';
import type { Metering } from '../../shared/domain/metering.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export type ServeDiffPorts = ReadingPorts &
  Pick<DiffProjectPorts, 'scopes' | 'details'> &
  MapPorts & { readonly metering: Metering };

/** Serves the comparisons. */
export const diffImplementations = (ports: ServeDiffPorts): Implementations<typeof diffRoutes> => ({
  diffTimes: async ({ workspace, query, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const { connector, reading } = await openGraph(ports, workspace, query.connector_id, now);
      return diffTimes(reading, connector, {
        workspace,
        from: new Date(query.from).toISOString(),
        to: query.to === undefined ? reading.now : new Date(query.to).toISOString(),
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
