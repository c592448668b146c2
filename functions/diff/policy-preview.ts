import type { policyPreviewRoutes } from '../../shared/contract/routes/policy-preview.ts';
import type { Metering } from '../../shared/domain/queries/metering.ts';
import { previewPolicy } from '../../shared/domain/queries/preview-policy.ts';
import { type GraphQueryPorts, openGraph } from '../../shared/domain/traversal/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Serves what a policy would change before it is set. */
export const previewImplementations = (
  ports: GraphQueryPorts & { readonly metering: Metering },
): Implementations<typeof policyPreviewRoutes> => ({
  previewPolicy: async ({ workspace, params, body: { filters, fusion_weights: weights = {}, cursor }, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const { connector, reading } = await openGraph(ports, workspace, params.connector_id, now);
      return previewPolicy(reading, connector, { workspace, filters, weights, cursor });
    });
    return { status: 200, body: { ...answer, cost } };
  },
});
