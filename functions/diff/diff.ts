import type { diffRoutes } from '../../shared/contract/diff.ts';
import { momentOfHistory } from '../../shared/domain/lineage/graph/order.ts';
import { type DiffBranchPorts, diffBranch, isSpent } from '../../shared/domain/lineage/queries/diff/diff-branch.ts';
import { diffTimes } from '../../shared/domain/lineage/queries/diff/diff-times.ts';
import { connectorIn, openGraphWithPast } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { type Announce, ofComparison } from '../../shared/domain/notifications/happenings.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ServeDiffPorts = DiffBranchPorts & { readonly announce: Announce };

export const diffImplementations = (ports: ServeDiffPorts): Implementations<typeof diffRoutes> => ({
  diffTimes: async ({ workspace, query, now }) => {
    const { answer, cost } = await ports.metering(async (spent) => {
      const reading = await openGraphWithPast(ports, workspace, now);
      return diffTimes({ ...reading, isSpent: isSpent(spent) }, connectorIn(reading, query.connector_id), {
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
    const diff = await diffBranch(ports, workspace, body, now);
    const notification = ofComparison({ connector: body.connector_id, now, diff });
    if (notification) await ports.announce(workspace, notification);
    return { status: 200, body: diff };
  },
});
