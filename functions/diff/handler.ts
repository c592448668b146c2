import { diffRoutes } from '../../shared/contract/diff-routes.ts';
import { policyPreviewRoutes } from '../../shared/contract/policy.ts';
import { previewPolicy } from '../../shared/domain/lineage/queries/preview-policy.ts';
import type { Metering } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { answerMetered, connectorIn, type QueryReader } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { diffPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { diffImplementations } from './diff.ts';

const previewImplementations = (
  reader: QueryReader & { readonly metering: Metering },
): Implementations<typeof policyPreviewRoutes> => ({
  previewPolicy: async ({ workspace, params, body: { filters, fusion_weights: weights = {}, cursor }, now }) => {
    const proposed = { workspace, filters, weights, cursor };
    return answerMetered(reader, { workspace, now }, (query) =>
      previewPolicy(query, connectorIn(query, params.connector_id), proposed),
    );
  },
});

const ports = diffPorts();

export const handler = httpFunction(
  { ...diffRoutes, ...policyPreviewRoutes },
  { ...diffImplementations(ports), ...previewImplementations(ports) },
);
