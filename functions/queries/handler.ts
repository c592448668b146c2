import { deliveryRoutes } from '../../shared/contract/deliveries.ts';
import { impactRoutes } from '../../shared/contract/explain.ts';
import { gapRoutes } from '../../shared/contract/gaps.ts';
import { historyRoutes } from '../../shared/contract/graph-changes.ts';
import { idOf, ProviderInstanceId } from '../../shared/contract/ids.ts';
import { overviewRoutes } from '../../shared/contract/overview.ts';
import { providerRoutes } from '../../shared/contract/providers.ts';
import { relationRoutes } from '../../shared/contract/relations.ts';
import {
  listProviders,
  type ProviderPorts,
  setProviderStatus,
  showProvider,
} from '../../shared/domain/lineage/providers/provider.ts';
import type { ConnectorFinder } from '../../shared/domain/workspaces/access/connectors.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { deliveryImplementations, gapImplementations, historyImplementations } from './deliveries.ts';
import { impactImplementations, relationImplementations } from './impact.ts';

const providerImplementations = (
  ports: ProviderPorts & { readonly connector: ConnectorFinder },
): Implementations<typeof providerRoutes> => ({
  listProviders: async ({ workspace, query: { connector_id, status, limit, cursor } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    const page = { connectorId, status: status ?? null, limit, cursor: cursor ?? null };
    return listProviders(ports, workspace, page);
  },
  getProvider: async ({ workspace, params }) => showProvider(ports, workspace, providerIdOf(params)),
  patchProvider: async ({ workspace, params, body: { status }, now }) =>
    setProviderStatus(ports, workspace, providerIdOf(params), { status, now }),
});

const providerIdOf = ({ provider_instance_id }: { readonly provider_instance_id: string }) =>
  idOf(ProviderInstanceId, provider_instance_id.toLowerCase());

const ports = queriesPorts();

export const handler = httpFunction(
  {
    ...impactRoutes,
    ...deliveryRoutes,
    ...providerRoutes,
    ...gapRoutes,
    ...historyRoutes,
    ...relationRoutes,
    ...overviewRoutes,
  },
  {
    ...impactImplementations(ports),
    ...deliveryImplementations(ports),
    ...providerImplementations(ports),
    ...gapImplementations(ports),
    ...historyImplementations(ports),
    ...relationImplementations(ports),
  },
);
