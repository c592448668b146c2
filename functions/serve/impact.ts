import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { impactRoutes } from '../../shared/contract/routes/impact.ts';
import { askImpact, type ImpactPorts } from '../../shared/domain/impact/ask.ts';
import type { Connector } from '../../shared/domain/lineage/connector.ts';
import type { Policy } from '../../shared/domain/policy/policy.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export type ServeImpactPorts = Omit<ImpactPorts, 'connectors' | 'policies' | 'now'> & {
  readonly connectorsOf: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
};

/** Serves impact. */
export const impactImplementations = (ports: ServeImpactPorts): Implementations<typeof impactRoutes> => ({
  getImpact: async ({ workspace, query, now }) => {
    const connectors = new Map((await ports.connectorsOf(workspace)).map((one) => [one.id, one]));
    const connector = [...connectors.values()].find(({ id }) => id === query.connector_id);
    if (!connector) throw new Problem('not_found');
    const policies = await ports.policiesOf(workspace, [...connectors.keys()]);
    const body = await askImpact({ ...ports, connectors, policies, now: now.toISOString() }, connector, {
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
    return { status: 200, body };
  },
});
