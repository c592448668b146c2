import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { chunksOf } from '../../shared/domain/base/collections.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { graphOf, scopeId } from '../../shared/domain/lineage/graph/node.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { acceptEvents, projectAccepted } from './openlineage-work.ts';
import { derivationsOf, type Source, schemasOf } from './realistic-graph.ts';
import { schedulerEvents } from './scheduler-events.ts';

const eventsPerRequest = 100;
const requestsInFlight = 4;

type Warehouse = {
  readonly table: Table;
  readonly workspace: WorkspaceId;
  readonly connector: ConnectorId;
  /** Of the connector: OpenLineage events name its datasets by it. */
  readonly namespace: string;
};

/** What states sources in a workspace, as the service does: documents once they are read, runs from their events. */
export async function statedSources(warehouse: Warehouse) {
  // Its adapters are made from the environment, which is set when the stores run.
  const { ingestPorts } = await import('../../shared/runtime/composition/intake.ts');
  const [intake, worker] = [ingestPorts(), projectorPorts()];
  return {
    state: async (source: Source): Promise<void> => {
      if (source.kind === 'project') await declare(worker, warehouse, source.name, source);
      else await observe(intake, worker, warehouse, source);
    },
    /** A project states nothing any more. */
    retract: (name: string): Promise<number> => declare(worker, warehouse, name, null),
  };
}

type WorkerPorts = ReturnType<typeof projectorPorts>;

/** A document takes effect; answers how many edges it retracts. */
async function declare(
  worker: WorkerPorts,
  { table, workspace, connector }: Warehouse,
  name: string,
  source: Source | null,
): Promise<number> {
  const scopeKey = `bench:${name}`;
  const provider = { providerType: 'dbt_manifest', providerInstanceId: name };
  const scope = { scope: scopeId(scopeKey), scopeKey, kind: 'snapshot', ...provider } as const;
  const { state, retracted } = await loadSnapshot(worker, {
    graph: graphOf(workspace, 0),
    scope,
    order: await takeOrder(table, graphOf(workspace, 0), scope, true),
    complete: true,
    deliveryId: name,
    receivedAt: new Date().toISOString(),
    derivations: source ? derivationsOf(source, connector) : [],
    ...(source && { schemas: schemasOf(source, connector) }),
    shrinkGuard: { mode: 'off', share: 1 },
    released: false,
  });
  if (state !== 'projected') throw new Error(`${name} is ${state}`);
  return retracted;
}

/** A run of each job, by batches, accepted and projected. */
async function observe(
  intake: Parameters<typeof acceptEvents>[0],
  worker: WorkerPorts,
  warehouse: Warehouse,
  source: Source,
): Promise<void> {
  const batches = chunksOf(schedulerEvents(source, warehouse.namespace), eventsPerRequest);
  await inParallel(requestsInFlight, batches, async (batch) => {
    const receipt = await acceptEvents(intake, warehouse, Buffer.from(JSON.stringify(batch)));
    await projectAccepted(worker, warehouse.workspace, receipt);
  });
}
