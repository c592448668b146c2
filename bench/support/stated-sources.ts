import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { chunksOf } from '../../shared/domain/base/collections.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { loadComplete } from './complete-snapshot.ts';
import { uuidOf } from './openlineage-load.ts';
import { acceptEvents, projectAccepted } from './openlineage-work.ts';
import { derivationsOf, type Source, schemasOf, typeOf } from './realistic-graph.ts';

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

const facet = { _producer: 'https://example.com/bench/1', _schemaURL: 'https://openlineage.io/spec/facets/1-2-0/' };

/** A completed run of each job of a scheduler, as OpenLineage events. */
const schedulerEvents = ({ name: scheduler, models, described }: Source, namespace: string): object[] =>
  models.map(({ output, inputs, mappings }, i) => ({
    eventType: 'COMPLETE',
    eventTime: new Date(Date.now() - 86_400_000 + i).toISOString(),
    producer: 'https://example.com/bench/1',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: uuidOf(`${scheduler}/${output}`) },
    job: { namespace: scheduler, name: output },
    inputs: inputs.map((name) => ({ namespace, name, ...schemaOf(described.get(name)) })),
    outputs: [
      {
        namespace,
        name: output,
        facets: { columnLineage: columnLineage(namespace, mappings), ...schemaOf(described.get(output))?.facets },
      },
    ],
  }));

const columnLineage = (namespace: string, mappings: Source['models'][number]['mappings']): object => ({
  ...facet,
  fields: Object.fromEntries(
    [...Map.groupBy(mappings, ({ outputColumn }) => outputColumn)].map(([column, sources]) => [
      column,
      { inputFields: sources.map(({ input, inputColumn }) => ({ namespace, name: input, field: inputColumn })) },
    ]),
  ),
});

const schemaOf = (columns: readonly string[] | undefined) =>
  columns && { facets: { schema: { ...facet, fields: columns.map((name) => ({ name, type: typeOf(name) })) } } };
