import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { chunksOf } from '../../shared/domain/base/collections.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { loadComplete } from './complete-snapshot.ts';
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
  const place = { ...warehouse, worker };
  return {
    state: async (source: Source): Promise<void> => {
      const { connector } = warehouse;
      const content = { derivations: derivationsOf(source, connector), schemas: schemasOf(source, connector) };
      if (source.kind === 'project') await loadComplete(place, source.name, content);
      else await observe(intake, worker, warehouse, source);
    },
    /** A project states nothing any more. */
    retract: (name: string): Promise<number> => loadComplete(place, name, { derivations: [] }),
  };
}

/** A run of each job, by batches, accepted and projected. */
async function observe(
  intake: Parameters<typeof acceptEvents>[0],
  worker: ReturnType<typeof projectorPorts>,
  warehouse: Warehouse,
  source: Source,
): Promise<void> {
  const batches = chunksOf(schedulerEvents(source, warehouse.namespace), eventsPerRequest);
  await inParallel(requestsInFlight, batches, async (batch) => {
    const receipt = await acceptEvents(intake, warehouse, Buffer.from(JSON.stringify(batch)));
    await projectAccepted(worker, warehouse.workspace, receipt);
  });
}
