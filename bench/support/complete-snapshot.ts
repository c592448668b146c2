import { randomUUID } from 'node:crypto';
import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, scopeId } from '../../shared/domain/lineage/graph/node.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import type { projectorPorts } from '../../shared/runtime/composition/workers.ts';

type Place = {
  readonly table: Parameters<typeof takeOrder>[0];
  readonly worker: ReturnType<typeof projectorPorts>;
  readonly workspace: WorkspaceId;
};
type Snapshot = {
  readonly scopeKey: string;
  readonly providerInstanceId: string;
  readonly derivations: readonly Derivation[];
};

/** Loads a complete snapshot of a scope; throws where it does not take effect. */
export async function loadComplete({ table, worker, workspace }: Place, snapshot: Snapshot): Promise<void> {
  const { scopeKey, providerInstanceId, derivations } = snapshot;
  const scope = {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: 'snapshot',
    providerType: 'dbt_manifest',
    providerInstanceId,
  } as const;
  const outcome = await loadSnapshot(worker, {
    graph: graphOf(workspace, 0),
    scope,
    order: await takeOrder(table, graphOf(workspace, 0), scope, true),
    complete: true,
    deliveryId: randomUUID(),
    receivedAt: new Date().toISOString(),
    derivations,
    shrinkGuard: { mode: 'off', share: 1 },
    released: false,
  });
  if (outcome.state !== 'projected') throw new Error('a snapshot was not loaded');
}
