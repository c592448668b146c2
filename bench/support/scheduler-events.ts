import { uuidOf } from './openlineage-load.ts';
import type { Source } from './realistic-graph.ts';

/** A completed run of each job of a scheduler, as OpenLineage events. */
export const schedulerEvents = ({ name: scheduler, models }: Source, namespace: string): object[] =>
  models.map(({ output, inputs, columns }, i) => ({
    eventType: 'COMPLETE',
    eventTime: new Date(Date.now() - 86_400_000 + i).toISOString(),
    producer: 'https://example.com/bench/1',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: uuidOf(`${scheduler}/${output}`) },
    job: { namespace: scheduler, name: output },
    inputs: inputs.map((name) => ({ namespace, name })),
    outputs: [{ namespace, name: output, facets: { columnLineage: columnLineage(namespace, inputs, columns) } }],
  }));

const columnLineage = (namespace: string, inputs: readonly string[], columns: readonly string[]): object => ({
  _producer: 'https://example.com/bench/1',
  _schemaURL: 'https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json',
  fields: Object.fromEntries(
    columns.map((field) => [field, { inputFields: inputs.map((name) => ({ namespace, name, field })) }]),
  ),
});
