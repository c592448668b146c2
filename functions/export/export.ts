import type { exportRoutes } from '../../shared/contract/export.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { graphNamed } from '../../shared/domain/lineage/generations/graph-record.ts';
import type { NamesReader } from '../../shared/domain/lineage/generations/ports.ts';
import type { Policy } from '../../shared/domain/lineage/policy/policy.ts';
import type { ExportPorts } from '../../shared/domain/lineage/queries/export/export-graph.ts';
import { exportLines, exportPage } from '../../shared/domain/lineage/queries/export/export-page.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ServeExportPorts = Omit<ExportPorts, 'forgotten' | 'connectors' | 'policies' | 'now'> & {
  readonly namesOf: NamesReader;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  readonly signingSecret: () => Promise<Uint8Array>;
};

const notWithNdjson = () =>
  new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'is of pages, and has no meaning with output=ndjson' }],
  });

/** Serves the export. */
export const exportImplementations = (ports: ServeExportPorts): Implementations<typeof exportRoutes> => ({
  exportLineage: async ({ workspace, query, now }) => {
    const names = await ports.namesOf(workspace);
    const connectors = new Map(names.connectors.map((one) => [one.id, one]));
    const connector = names.connectors.find(({ id }) => id === query.connector_id);
    if (query.connector_id !== undefined && !connector) throw new Problem('not_found');
    const policies = await ports.policiesOf(workspace, [...connectors.keys()]);
    const stores = graphNamed(ports, names);
    const reading: ExportPorts = { ...stores, connectors, policies, now: now.toISOString() };
    const request = { workspace, connectorId: connector?.id ?? null, profile: query.profile };
    if (query.output === 'ndjson') {
      if (query.cursor !== undefined) throw notWithNdjson();
      const bytes = exportLines(reading, { ...request, asOf: reading.now });
      return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, bytes };
    }
    const secret = await ports.signingSecret();
    const { limit, cursor = null } = query;
    return { status: 200, body: await exportPage(reading, { ...request, now: reading.now, cursor, limit, secret }) };
  },
});
