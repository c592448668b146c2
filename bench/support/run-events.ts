import { columnName, facet, jobType, schemaFacet, uuidOf } from './openlineage-load.ts';

const columns = 20;

export const namespace = 'postgres://db:5432';

/** START and COMPLETE of this many jobs: two to four inputs, one or two outputs, 20 columns with their lineage; about 7 KB each. */
export function runEvents(jobs: number, round: number): object[] {
  return Array.from({ length: jobs }, (_, job) => [event('START', job, round), event('COMPLETE', job, round)]).flat();
}

function event(eventType: string, job: number, round: number) {
  const inputs = Array.from(
    { length: 2 + (job % 3) },
    (_, i) => `db.public.ds_${Math.max(0, job - 37 * (i + 1))}_${i % 2}`,
  );
  const outputs = Array.from({ length: 1 + (job % 2) }, (_, i) => `db.public.ds_${job}_${i}`);
  const seconds = round * 86_400 + job * 10 + (eventType === 'START' ? 0 : 5);
  return {
    eventType,
    eventTime: new Date(Date.now() - 40 * 86_400_000 + seconds * 1000).toISOString(),
    producer: 'https://example.com/bench/1',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: {
      runId: uuidOf(`${job}/${round}`),
      facets: {
        processing_engine: facet('ProcessingEngineRunFacet', '1-1-1', { version: '3.5.0', name: 'spark' }),
      },
    },
    job: { namespace: 'bench', name: `job_${job}`, facets: { jobType } },
    inputs: inputs.map((name) => ({ namespace, name, facets: { schema } })),
    outputs: outputs.map((name) => ({ namespace, name, facets: { schema, columnLineage: columnLineage(inputs) } })),
  };
}

const schema = schemaFacet(columns);

const columnLineage = (inputs: readonly string[]) =>
  facet('ColumnLineageDatasetFacet', '1-2-0', {
    fields: Object.fromEntries(
      Array.from({ length: columns }, (_, i) => [
        columnName(i),
        { inputFields: [{ namespace, name: inputs[i % inputs.length], field: columnName(i) }] },
      ]),
    ),
  });
