import { uuidOf } from './openlineage-load.ts';
import { type Source, typeOf } from './realistic-graph.ts';

const facet = { _producer: 'https://example.com/bench/1', _schemaURL: 'https://openlineage.io/spec/facets/1-2-0/' };

/** A completed run of each job of a scheduler, as OpenLineage events. */
export const schedulerEvents = ({ name: scheduler, models, described }: Source, namespace: string): object[] =>
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
