import { diffRoutes } from '../../shared/contract/diff.ts';
import { policyPreviewRoutes } from '../../shared/contract/policy.ts';
import type { Metering } from '../../shared/domain/lineage/queries/answer-size.ts';
import { previewPolicy } from '../../shared/domain/lineage/queries/preview-policy.ts';
import {
  connectorIn,
  type GraphQueryPorts,
  openGraphWithPast,
} from '../../shared/domain/lineage/traversal/open-graph.ts';
import { diffPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { diffImplementations } from './diff.ts';

const previewImplementations = (
  ports: GraphQueryPorts & { readonly metering: Metering },
): Implementations<typeof policyPreviewRoutes> => ({
  previewPolicy: async ({ workspace, params, body: { filters, fusion_weights: weights = {}, cursor }, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const reading = await openGraphWithPast(ports, workspace, now);
      return previewPolicy(reading, connectorIn(reading, params.connector_id), { workspace, filters, weights, cursor });
    });
    return { status: 200, body: { ...answer, cost } };
  },
});

const ports = diffPorts();

/** Compares graphs: what changed, and what a branch or a policy would change. */
export const handler = httpFunction(
  { ...diffRoutes, ...policyPreviewRoutes },
  { ...diffImplementations(ports), ...previewImplementations(ports) },
);
