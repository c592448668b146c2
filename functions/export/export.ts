import type { exportRoutes } from '../../shared/contract/export.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { exportLines, exportPage } from '../../shared/domain/lineage/queries/export/export-page.ts';
import type { GraphQuery, Metering } from '../../shared/domain/lineage/traversal/graph-view.ts';
import {
  type GraphSettings,
  limitedTo,
  namedConnector,
  openGraph,
} from '../../shared/domain/lineage/traversal/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

const notWithNdjson = () =>
  new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'is of pages, and has no meaning with output=ndjson' }],
  });

export const exportImplementations = (
  ports: GraphQuery['reader'] &
    GraphSettings & { readonly signingSecret: () => Promise<Uint8Array>; readonly metering: Metering },
): Implementations<typeof exportRoutes> => ({
  exportLineage: async ({ workspace, query, now }) => {
    const { answer } = await ports.metering(async (spent) => {
      const graph = await openGraph(ports, workspace, now, limitedTo(spent));
      const connector = namedConnector(graph, query.connector_id);
      const request = { workspace, connectorId: connector?.id ?? null, profile: query.profile };
      if (query.output === 'ndjson') {
        if (query.cursor !== undefined) throw notWithNdjson();
        const bytes = exportLines(graph, { ...request, asOf: graph.context.now });
        return { status: 200 as const, headers: { 'content-type': 'application/x-ndjson' }, bytes };
      }
      const secret = await ports.signingSecret();
      const { limit, cursor = null } = query;
      const page = { ...request, now: graph.context.now, cursor, limit, secret };
      return { status: 200 as const, body: await exportPage(graph, page) };
    });
    return answer;
  },
});
