import { randomInt, randomUUID } from 'node:crypto';

const namespace = 'postgres://chaos.test:5432';
const dataset = () => [{ namespace, name: `db.public.t${randomInt(500)}` }];

/** Twenty runs that nobody has sent before. */
export const batchOfRuns = (): object[] =>
  Array.from({ length: 20 }, () => ({
    eventType: 'COMPLETE',
    eventTime: new Date().toISOString(),
    producer: 'https://example.com/chaos/1',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: randomUUID() },
    job: { namespace: 'chaos', name: `job_${randomInt(100)}` },
    inputs: dataset(),
    outputs: dataset(),
  }));
