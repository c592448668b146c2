import type { ConnectorId, DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import type { ScopeId } from '../graph/node.ts';
import type { Forgotten, Order } from '../graph/order.ts';
import type { ScopeIdentity } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import type { ActivityLog } from '../providers/activity.ts';
import type { Provider, ProviderStore } from '../providers/provider.ts';
import type { Delivery } from './deliveries/delivery.ts';
import type { DeliveryStore, PayloadStore, ProjectionQueue } from './deliveries/ports.ts';

export type IntakePorts = {
  readonly clock: Clock;
  readonly connectors: {
    readonly get: (workspace: WorkspaceId, connector: ConnectorId) => Promise<Connector | null>;
    readonly list: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  };
  readonly providers: Pick<ProviderStore, 'create'>;
  readonly activity: ActivityLog;
  readonly known: AcceptanceReader;
  readonly acceptances: Pick<ScopeAcceptances, 'forgotten'>;
  readonly deliveries: Pick<DeliveryStore, 'enlist' | 'open' | 'nameContent' | 'countDuplicate'>;
  readonly payloads: Pick<PayloadStore, 'put'>;
  readonly queue: ProjectionQueue;
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
};

export type DeclaredIntakePorts = IntakePorts & {
  readonly linkedProjects: {
    readonly has: (workspace: WorkspaceId, projectId: string) => Promise<boolean>;
  };
  readonly acceptances: ScopeAcceptances;
};

/** Reads consistently, in one request, what decides an acceptance. */
export type AcceptanceReader = (
  workspace: WorkspaceId,
  ids: {
    readonly delivery: DeliveryId;
    /** Whether the id is that of the content: a delivery with a key is found by it too. */
    readonly byContent: boolean;
    readonly provider: ProviderInstanceId;
    readonly connector: ConnectorId | null;
  },
) => Promise<{
  readonly delivery: Delivery | null;
  readonly provider: Provider | null;
  readonly connector: Connector | null;
}>;

export type SnapshotsAccepted = { readonly count: number; readonly last: Order | null };

export type ScopeAcceptances = {
  /** How many complete snapshots of the scope were accepted, and the order of the last. Forgetting counts as one. */
  readonly snapshots: (workspace: WorkspaceId, scope: ScopeId) => Promise<SnapshotsAccepted>;
  readonly forgotten: (workspace: WorkspaceId) => Promise<Forgotten>;
  /** The place of a new delivery in its scope: greater than all before. */
  readonly takeOrder: (workspace: WorkspaceId, scope: ScopeIdentity, complete: boolean) => Promise<Order>;
};
