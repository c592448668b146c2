import type { deliveryRoutes } from '../../shared/contract/deliveries.ts';
import type { gapRoutes } from '../../shared/contract/gaps.ts';
import type { historyRoutes } from '../../shared/contract/graph-changes.ts';
import { limits } from '../../shared/contract/limits.ts';
import {
  listGaps,
  type ProviderFinder,
  requireProvider,
  setGapStatus,
} from '../../shared/domain/lineage/gaps/list-gaps.ts';
import type { GapStore } from '../../shared/domain/lineage/gaps/ports.ts';
import {
  type DeliveryFilter,
  type DeliveryReopener,
  findDelivery,
  releaseDelivery,
  retryDelivery,
  showDeliveries,
  showDelivery,
} from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import type { GraphHistory } from '../../shared/domain/lineage/projection/graph-history.ts';
import type { ConnectorFinder } from '../../shared/domain/workspaces/access/connectors.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const deliveryImplementations = (
  ports: DeliveryReopener & { readonly connector: ConnectorFinder },
): Implementations<typeof deliveryRoutes> => ({
  listDeliveries: async ({ workspace, query: { state, connector_id, limit, cursor } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    const filter: DeliveryFilter = { state: state ?? null, connectorId };
    return showDeliveries(ports, workspace, { ...filter, limit, cursor: cursor ?? null });
  },
  getDelivery: async ({ workspace, params }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return showDelivery(ports, delivery);
  },
  retryDelivery: async ({ workspace, params, now }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return showDelivery(ports, await retryDelivery(ports, delivery, now));
  },
  releaseDelivery: async ({ workspace, params, now }) => {
    const delivery = await findDelivery(ports, workspace, params.delivery_id);
    return showDelivery(ports, await releaseDelivery(ports, delivery, now));
  },
});

export const historyImplementations = (ports: {
  readonly history: Pick<GraphHistory, 'list'>;
  readonly connector: ConnectorFinder;
}): Implementations<typeof historyRoutes> => ({
  listGraphChanges: async ({ workspace, query: { connector_id, days }, now }) => {
    const connector = await ports.connector(workspace, connector_id);
    const since = new Date(now.getTime() - days * 86_400_000).toISOString();
    const limit = limits.history.listed;
    const newest = await ports.history.list(workspace, connector, { since, limit });
    const isCut = newest.length === limit;
    return { items: newest.toReversed(), since: (isCut && newest.at(-1)?.at) || since };
  },
});

export const gapImplementations = (ports: {
  readonly gaps: GapStore;
  readonly providers: ProviderFinder;
}): Implementations<typeof gapRoutes> => ({
  listGaps: async ({ workspace, params, query: { status, gap_type, limit, cursor } }) => {
    const provider = await requireProvider(ports, workspace, params.provider_instance_id);
    const page = { status: status ?? null, gapType: gap_type ?? null, limit, cursor: cursor ?? null };
    return listGaps(ports, workspace, provider, page);
  },
  patchGap: async ({ workspace, params, body: { status } }) => {
    const provider = await requireProvider(ports, workspace, params.provider_instance_id);
    return setGapStatus(ports, { workspace, provider, gapId: params.gap_id }, status);
  },
});
