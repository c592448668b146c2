import { createHash } from 'node:crypto';
import { randomFloats } from './random-floats.ts';

/**
 * The load for comparing OpenLineage servers: jobs in ten layers, whose runs start and complete. It is the same
 * for every server and every time.
 */
export type LoadJob = {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
};

/** `w1` is a realistic event of about 7.4 KB, `w2` one of 1.5 KB, `w3` one of 65 KB; `graph` has the edges of `w1` and few columns. */
const profiles = {
  w1: { columns: 20, lineage: 1, inputs: 4, outputs: 2 },
  w2: { columns: 3, lineage: 0, inputs: 1, outputs: 1 },
  w3: { columns: 200, lineage: 3, inputs: 3, outputs: 1 },
  graph: { columns: 2, lineage: 1, inputs: 4, outputs: 2 },
} as const;
export type Profile = keyof typeof profiles;

const layers = 10;
const jobsADomain = 50;
/** Of reads; the others stay in their domain, so that a neighbourhood stays bounded while the graph grows. */
const crossing = 0.02;

/** Jobs that each write one or two datasets and read two to four of the layer above. */
export function layeredJobs(count: number): readonly LoadJob[] {
  const random = randomFloats(1);
  const layerOf = (job: number) => Math.floor((job % jobsADomain) / (jobsADomain / layers));
  const domainOf = (job: number) => Math.floor(job / jobsADomain);
  const outputs = Array.from({ length: count }, (_, job) =>
    random() < 0.5 ? [`ds_${job}_a`] : [`ds_${job}_a`, `ds_${job}_b`],
  );
  const written = new Map<string, string[]>();
  for (const [job, names] of outputs.entries())
    for (const domain of [domainOf(job), '*']) {
      const layer = `${domain}/${layerOf(job)}`;
      written.set(layer, written.get(layer) ?? []);
      written.get(layer)?.push(...names);
    }
  const oneRead = (job: number): string => {
    if (layerOf(job) === 0) return `src_${domainOf(job)}_${Math.floor(random() * 8)}`;
    const domain = random() < crossing ? '*' : domainOf(job);
    const above = written.get(`${domain}/${layerOf(job) - 1}`) ?? [];
    return above[Math.floor(random() * above.length)] ?? '';
  };
  return outputs.map((names, job) => {
    const target = 2 + Math.floor(random() * 3);
    const inputs = new Set<string>();
    for (let tries = 0; inputs.size < target && tries < 20; tries++) inputs.add(oneRead(job));
    return { name: `job_${job}`, inputs: [...inputs], outputs: names };
  });
}

/** Jobs whose datasets have their own names. */
export function renamed(prefix: string): (job: LoadJob) => LoadJob {
  const own = (one: string) => `${prefix}_${one}`;
  return ({ name, inputs, outputs }) => ({ name: own(name), inputs: inputs.map(own), outputs: outputs.map(own) });
}

/** One dataset that every job reads. Each job writes its own dataset. */
export const hubJobs = (count: number): readonly LoadJob[] =>
  Array.from({ length: count }, (_, job) => ({ name: `fan_${job}`, inputs: ['hub'], outputs: [`fan_out_${job}`] }));

const firstRun = Date.UTC(2026, 0, 1);
const producer = 'https://example.com/ol-load/1';
const specification = 'https://openlineage.io/spec';
const types = ['BIGINT', 'VARCHAR', 'TIMESTAMP', 'DOUBLE', 'BOOLEAN', 'DATE'];
/** Of how many jobs all start before they complete, so that concurrent requests are rarely about one run. */
const wave = 64;

export const columnName = (i: number): string => `c${String(i).padStart(2, '0')}`;
export const facet = (name: string, version: string, body: object) => ({
  _producer: producer,
  _schemaURL: `${specification}/facets/${version}/${name}.json`,
  ...body,
});

/** Where the jobs' data are, and which run of each job it is: 0 is the first. */
export type Run = { readonly namespace: string; readonly round: number };

/** The events of a run of every job, in sending order. */
export function* loadEvents(jobs: readonly LoadJob[], profile: Profile, run: Run): Generator<object> {
  for (let from = 0; from < jobs.length; from += wave)
    for (const eventType of ['START', 'COMPLETE'])
      for (const [i, job] of jobs.slice(from, from + wave).entries())
        yield runEvent(job, { ...run, eventType, index: from + i, profile });
}

/** Bodies of requests with `size` events each; with one, the event itself. */
export const bodiesOf = (events: readonly object[], size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, i) =>
    Buffer.from(JSON.stringify(size === 1 ? events[i] : events.slice(i * size, (i + 1) * size))),
  );

type Event = Run & { readonly eventType: string; readonly index: number; readonly profile: Profile };

function runEvent(job: LoadJob, { namespace, round, eventType, index, profile }: Event): object {
  const { columns, lineage, inputs: most, outputs } = profiles[profile];
  const inputs = job.inputs.slice(0, most);
  const time = firstRun + round * 86_400_000 + index * 1_000 + (eventType === 'START' ? 0 : 500);
  const eventTime = new Date(time).toISOString();
  const schema = schemaFacet(columns);
  return {
    eventType,
    eventTime,
    producer,
    schemaURL: `${specification}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
    run: {
      runId: uuidOf(`load/${job.name}/${round}`),
      facets: {
        nominalTime: facet('NominalTimeRunFacet', '1-0-1', { nominalStartTime: eventTime }),
        processing_engine: facet('ProcessingEngineRunFacet', '1-1-1', {
          version: '3.5.0',
          name: 'spark',
          openlineageAdapterVersion: '1.23.0',
        }),
      },
    },
    job: { namespace: 'load', name: job.name, facets: { jobType } },
    inputs: inputs.map((name) => ({ namespace, name, facets: { schema } })),
    outputs: job.outputs.slice(0, outputs).map((name) => ({
      namespace,
      name,
      facets: { schema, ...(lineage > 0 && { columnLineage: columnLineage(namespace, inputs, profile) }) },
    })),
  };
}

export const jobType = facet('JobTypeJobFacet', '2-0-3', {
  processingType: 'BATCH',
  integration: 'SPARK',
  jobType: 'JOB',
});

export const schemaFacet = (columns: number) =>
  facet('SchemaDatasetFacet', '1-1-1', {
    fields: Array.from({ length: columns }, (_, i) => ({ name: columnName(i), type: types[i % types.length] })),
  });

/** The columns of the inputs that each column of an output comes from. */
export function columnSources(inputs: readonly string[], profile: Profile) {
  const { columns, lineage, inputs: most } = profiles[profile];
  const read = inputs.slice(0, most);
  return Array.from({ length: columns }, (_, i) => ({
    column: columnName(i),
    sources: Array.from({ length: lineage }, (_, k) => ({
      name: read[(i + k) % read.length] ?? '',
      field: columnName((i + k) % columns),
    })),
  }));
}

/** Every tenth column says how it comes from its sources. */
function columnLineage(namespace: string, inputs: readonly string[], profile: Profile): object {
  const way = (i: number) => ({
    type: 'DIRECT',
    subtype: i % 20 === 0 ? 'IDENTITY' : 'TRANSFORMATION',
    masking: false,
  });
  const fields = columnSources(inputs, profile).map(({ column, sources }, i) => {
    const inputFields = sources.map((one) => ({
      namespace,
      ...one,
      ...(i % 10 === 0 && { transformations: [way(i)] }),
    }));
    return [column, { inputFields }];
  });
  return facet('ColumnLineageDatasetFacet', '1-2-0', { fields: Object.fromEntries(fields) });
}

/** A UUID of version 4's form that follows from a name. */
export function uuidOf(name: string): string {
  const hex = createHash('sha1').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
