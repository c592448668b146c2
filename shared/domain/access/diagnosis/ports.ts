import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ProviderStore } from '../../providers/ports.ts';
import type { Clock } from '../../time/clock.ts';
import type { Registry } from '../registry.ts';

export type DiagnosisPorts = {
  readonly registry: Pick<Registry, 'connectors'>;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  readonly clock: Clock;
};
