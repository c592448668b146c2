import { idOrNull, ProviderInstanceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { providerRoutes } from '../../shared/contract/routes/providers.ts';
import type { ConnectorFinder } from '../../shared/domain/access/find-connector.ts';
import { listProviders } from '../../shared/domain/providers/list-providers.ts';
import { setProviderStatus } from '../../shared/domain/providers/set-status.ts';
import { type ProviderPorts as Providers, showProvider } from '../../shared/domain/providers/show-provider.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ProviderPorts = Providers & { readonly connector: ConnectorFinder };

/** Serves the routes of providers. */
export const providerImplementations = (ports: ProviderPorts): Implementations<typeof providerRoutes> => ({
  listProviders: async ({ workspace, query: { connector_id, status, limit, cursor } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    const page = { connectorId, status: status ?? null, limit, cursor: cursor ?? null };
    return { status: 200, body: await listProviders(ports, workspace, page) };
  },
  getProvider: async ({ workspace, params }) => ({
    status: 200,
    body: await showProvider(ports, workspace, providerIdOf(params)),
  }),
  patchProvider: async ({ workspace, params, body: { status }, now }) => ({
    status: 200,
    body: await setProviderStatus(ports, workspace, providerIdOf(params), { status, now }),
  }),
});

function providerIdOf({ provider_instance_id }: { readonly provider_instance_id: string }): ProviderInstanceId {
  const id = idOrNull(ProviderInstanceId, provider_instance_id.toLowerCase());
  if (id === null) throw new Problem('not_found');
  return id;
}
