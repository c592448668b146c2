import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import type { SettableStatus } from '../../contract/providers.ts';
import type { Backlog, Provider, ProviderRecord } from './provider.ts';

export type ProviderStore = {
  /** Read consistently: a pause holds at once. */
  readonly get: (workspace: WorkspaceId, id: ProviderInstanceId) => Promise<ProviderRecord | null>;
  /** Keeps a new provider; answers with the one that was there first. */
  readonly create: (provider: Provider) => Promise<Provider>;
  /** False where there is no such provider. */
  readonly setStatus: (
    workspace: WorkspaceId,
    id: ProviderInstanceId,
    status: SettableStatus,
    at: string,
  ) => Promise<boolean>;
  /** All providers after an id, in the order of ids. */
  readonly list: (workspace: WorkspaceId, after: string | null) => AsyncIterable<ProviderRecord>;
};

export type BacklogReader = {
  /** The open deliveries of a workspace, by provider. */
  readonly backlogs: (workspace: WorkspaceId) => Promise<ReadonlyMap<ProviderInstanceId, Backlog>>;
};
