import type { policyRoutes } from '../../shared/contract/policy.ts';
import type { PolicyStore } from '../../shared/domain/lineage/policy/ports.ts';
import { setPolicy } from '../../shared/domain/lineage/policy/set-policy.ts';
import { showPolicy, showRevisions } from '../../shared/domain/lineage/policy/show-policy.ts';
import { requireKnownTypes } from '../../shared/domain/lineage/providers/feed.ts';
import type { ConnectorFinder } from '../../shared/domain/workspaces/access/connectors.ts';
import type { Registry } from '../../shared/domain/workspaces/access/records.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const policyImplementations = (
  ports: Parameters<typeof setPolicy>[0] & {
    readonly policies: PolicyStore;
    readonly connector: ConnectorFinder;
    readonly graphs: Pick<Registry['graphs'], 'find'>;
  },
): Implementations<typeof policyRoutes> => ({
  getPolicy: async ({ workspace, params }) => {
    const connector = await ports.connector(workspace, params.connector_id);
    return showPolicy(ports, workspace, connector);
  },
  putPolicy: async ({ workspace, params, body, caller, now }) => {
    const connector = await ports.connector(workspace, params.connector_id);
    const { filters, fusion_weights: fusionWeights = {} } = body;
    requireKnownTypes((await ports.graphs.find({ workspace_id: workspace }))?.record.feeds, fusionWeights);
    const target = {
      filters,
      fusionWeights,
      by: caller.userId,
      expectedRevision: body.expected_revision ?? null,
    };
    return setPolicy(ports, { workspace_id: workspace, connector_id: connector }, target, now);
  },
  listPolicyRevisions: async ({ workspace, params, query }) => {
    const connector = await ports.connector(workspace, params.connector_id);
    return showRevisions(ports, workspace, connector, query);
  },
});
