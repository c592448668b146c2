import { randomUUID } from 'node:crypto';
import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, scopeId } from '../../shared/domain/lineage/graph/node.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import type { projectorPorts } from '../../shared/runtime/composition/workers.ts';

type Loaded = Parameters<typeof loadSnapshot>[1];
type Place = {
  readonly table: Table;
  readonly worker: ReturnType<typeof projectorPorts>;
  readonly workspace: WorkspaceId;
};

/** Loads a complete snapshot of a project, and returns how many edges it retracts; throws if it does not take effect. */
export async function loadComplete(
  { table, worker, workspace }: Place,
  project: string,
  content: Pick<Loaded, 'derivations' | 'schemas'>,
): Promise<number> {
  const scopeKey = `bench:${project}`;
  const provider = { providerType: 'dbt_manifest', providerInstanceId: project };
  const scope = { scope: scopeId(scopeKey), scopeKey, kind: 'snapshot', ...provider } as const;
  const graph = graphOf(workspace, 0);
  const { state, retracted } = await loadSnapshot(worker, {
    ...{ graph, scope, order: await takeOrder(table, graph, scope, true), complete: true, ...content },
    deliveryId: randomUUID(),
    receivedAt: new Date().toISOString(),
    shrinkGuard: { mode: 'off', share: 1 },
    released: false,
  });
  if (state !== 'projected') throw new Error(`${project} is ${state}`);
  return retracted;
}
