import { idOrNull, ProviderInstanceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { providerRoutes } from '../../shared/contract/routes/providers.ts';
import type { ConnectorFinder } from '../../shared/domain/access/find-connector.ts';
import { listProviders } from '../../shared/domain/providers/list-providers.ts';
import type { BacklogReader, ProviderStore } from '../../shared/domain/providers/ports.ts';
import { setProviderStatus } from '../../shared/domain/providers/set-status.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export type ProviderPorts = {
  readonly providers: ProviderStore;
  readonly backlog: BacklogReader;
  readonly connector: ConnectorFinder;
};

/** Serves the routes of providers. */
export const providerImplementations = (ports: ProviderPorts): Implementations<typeof providerRoutes> => ({
  listProviders: async ({ workspace, query: { connector_id, status, limit, cursor } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    const page = { connectorId, status: status ?? null, limit, cursor: cursor?.toLowerCase() ?? null };
    return { status: 200, body: await listProviders(ports, workspace, page) };
  },
  patchProvider: async ({ workspace, params, body: { status }, now }) => {
    const id = idOrNull(ProviderInstanceId, params.provider_instance_id.toLowerCase());
    if (id === null) throw new Problem('not_found');
    return { status: 200, body: await setProviderStatus(ports, workspace, id, { status, now }) };
  },
});
