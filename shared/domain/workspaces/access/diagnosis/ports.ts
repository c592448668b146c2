import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import type { Clock } from '../../../base/time/timestamp.ts';
import type { Policy } from '../../../lineage/policy/policy.ts';
import type { ProviderStore } from '../../../lineage/providers/provider.ts';
import type { Registry } from '../records.ts';

export type DiagnosisPorts = {
  readonly registry: Pick<Registry, 'connectors'>;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  readonly clock: Clock;
};
