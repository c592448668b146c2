/** Events in few words: all in one namespace, valid 2-0-2, one job and run unless specified otherwise. */
export const namespace = 'postgres://db.acme.test:5432';
const producer = 'https://github.com/acme/etl';
const schemaURL = (kind: string) => `https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/${kind}`;

export const facet = <Body extends object>(body: Body) => ({
  _producer: producer,
  _schemaURL: 'https://openlineage.io/spec/facets/1-0-0/Facet.json',
  ...body,
});

export const dataset = (name: string, facets?: object) => ({ namespace, name, ...(facets && { facets }) });
export const field = (name: string, column: string, more: object = {}) => ({ namespace, name, field: column, ...more });
export const feeds = (name: string, more: object = {}) => ({ namespace, name, type: 'DATASET', ...more });

export const columnLineage = (fields: Record<string, object[]>, wide?: object[]) => ({
  columnLineage: facet({
    fields: Object.fromEntries(Object.entries(fields).map(([name, inputFields]) => [name, { inputFields }])),
    ...(wide && { dataset: wide }),
  }),
});

export const minute = (n: number) => `2026-03-01T10:${String(n).padStart(2, '0')}:00Z`;
export const runId = (n: number) => `0190c6f2-7d2c-7b8e-9f5a-${String(n).padStart(12, '0')}`;

type Some = { at?: string; job?: string; jobFacets?: object; inputs?: object[]; outputs?: object[] };

export const runEvent = (some: Some & { type?: string; run?: string }) => ({
  eventTime: some.at ?? minute(0),
  producer,
  schemaURL: schemaURL('RunEvent'),
  eventType: some.type ?? 'COMPLETE',
  run: { runId: some.run ?? runId(1) },
  job: { namespace: 'airflow://prod', name: some.job ?? 'orders.load', facets: some.jobFacets ?? {} },
  inputs: some.inputs ?? [],
  outputs: some.outputs ?? [],
});

export const jobEvent = (some: Some) => ({
  eventTime: some.at ?? minute(0),
  producer,
  schemaURL: schemaURL('JobEvent'),
  job: { namespace: 'dbt://acme', name: some.job ?? 'model.orders', facets: some.jobFacets ?? {} },
  ...(some.inputs && { inputs: some.inputs }),
  ...(some.outputs && { outputs: some.outputs }),
});

export const datasetEvent = (name: string, facets: object, at = minute(0)) => ({
  eventTime: at,
  producer,
  schemaURL: schemaURL('DatasetEvent'),
  dataset: dataset(name, facets),
});
