import { randomUUID } from 'node:crypto';

type Columns = Readonly<Record<string, readonly (readonly [relation: string, column: string])[]>>;

/** A COMPLETE event of a job that reads and writes relations of one namespace. */
export const runEvent = (
  namespace: string,
  inputs: readonly string[],
  outputs: readonly string[],
  { columns, sql, job, at }: { columns?: Columns; sql?: string; job?: string; at?: string } = {},
) => ({
  eventType: 'COMPLETE',
  eventTime: at ?? new Date().toISOString(),
  producer: 'https://example.com/test',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: randomUUID() },
  job: {
    namespace: 'jobs',
    name: job ?? `load ${outputs.join(' ')}`,
    ...(sql !== undefined && { facets: { sql: { ...facet('SQLJobFacet', '1-1-0'), query: sql } } }),
  },
  inputs: inputs.map((name) => ({ namespace, name })),
  outputs: outputs.map((name) => ({
    namespace,
    name,
    ...(columns && { facets: { columnLineage: columnLineage(namespace, columns) } }),
  })),
});

const facet = (name: string, version: string) => ({
  _producer: 'https://example.com/test',
  _schemaURL: `https://openlineage.io/spec/facets/${version}/${name}.json#/$defs/${name}`,
});

const columnLineage = (namespace: string, columns: Columns) => ({
  ...facet('ColumnLineageDatasetFacet', '1-2-0'),
  fields: Object.fromEntries(
    Object.entries(columns).map(([column, sources]) => [
      column,
      {
        inputFields: sources.map(([name, field]) => ({
          namespace,
          name,
          field,
          transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }],
        })),
      },
    ]),
  ),
});
