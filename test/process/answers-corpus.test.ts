import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { sha256 } from '../../shared/domain/base/digest.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

// However the graph is stored, it answers as recorded. `CORPUS=FOLDER` writes the answers to a folder: those of two
// versions of the code show what differs.

const world = provideForAll(startLineageWorld);
let place: LineagePlace;

beforeAll(async () => {
  // The order of storing and reading depends on ids and times.
  let drawn = 0;
  Object.assign(world.operator, { randomBytes: (count: number) => Buffer.alloc(count, ++drawn) });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') });
  const namespaces = ['postgres://localhost:5432', 'duckdb://shop.duckdb', 'duckdb://ledger.duckdb'];
  place = await world.place({ namespaces });
});
afterAll(() => void vi.useRealTimers());

const fixture = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '..', 'fixtures', name), 'utf8');
const json = (name: string) => JSON.parse(fixture(name));
const events = (name: string): object[] =>
  fixture(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const ofProject = () => ({ completeness: 'complete', project_id: 'crm', source_event_key: `key ${Date.now()}` });
const manifest = (nodes: object) => {
  const sent = { ...json('dbt/crm-manifest.json'), nodes };
  return place.declare('/v1/lineage/dbt/manifest', { manifest: sent, ...ofProject() });
};

/** Whole snapshots, parts of runs, a catalog, and a second snapshot without a model and with another statement. */
const deliveries: readonly (() => Promise<{ readonly status: number; readonly json: unknown }>)[] = [
  () => manifest(json('dbt/crm-manifest.json').nodes),
  () => place.emit(events('dbt-ol/build-1.54.ndjson')),
  () => place.emit(events('ledger/airflow.ndjson')),
  () => place.declare('/v1/lineage/datahub', { export: json('datahub/crm-catalog.json') }),
  () => {
    const { 'model.crm.top': _, ...nodes } = json('dbt/crm-manifest.json').nodes;
    const paid = nodes['model.crm.stg_payments'];
    return manifest({
      ...nodes,
      'model.crm.stg_payments': { ...paid, compiled_code: 'select id, amount from "crm"."erp"."payments"' },
    });
  },
  () => place.declare('/v1/lineage/sqlmesh/project', { project: json('sqlmesh/crm-export.json'), ...ofProject() }),
  () => place.emit(events('ledger/dbt-ol-structured.ndjson')),
  () => place.emit(Array.from({ length: 130 }, (_, n) => event(['crm.core.hub'], `crm.core.reader_${n}`, 2))),
  () =>
    place.emit([
      event(
        Array.from({ length: 40 }, (_, n) => `crm.core.part_${n}`),
        'crm.core.joined',
        60,
      ),
    ]),
];

/** Each column of the output is of one column of each input. */
const event = (inputs: readonly string[], output: string, width: number): object => ({
  ...runEvent('postgres://localhost:5432', inputs, [output], {
    columns: Object.fromEntries(
      Array.from({ length: width }, (_, n) => [`c${n}`, inputs.map((name) => [name, `c${n}`])]),
    ),
  }),
  run: { runId: '0190c5f1-0000-7000-8000-000000000001' },
});

/** Of a hundred alike the seventh answers for all. */
const isAlike = (ref: string): boolean => /_(?!7$)\d+$/.test(ref);

/** Takes what is delivered a minute after the other, and answers the moments between. */
async function deliverAll(): Promise<string[]> {
  const moments: string[] = [];
  for (const deliver of deliveries) {
    const { status, json } = await deliver();
    expect(status, JSON.stringify(json)).toBe(202);
    moments.push(new Date(Date.now() + 30_000).toISOString());
    vi.setSystemTime(Date.now() + 60_000);
  }
  return moments;
}

const answers = new Map<string, string>();

/** Leaves out the words of limits, which follow from their codes. */
function withoutWords(this: unknown, key: string, value: unknown): unknown {
  const isOfLimit = typeof this === 'object' && this !== null && 'code' in this;
  return isOfLimit && ['text', 'how_to_lift'].includes(key) ? undefined : value;
}

/** Asks, and remembers the answer without what depends on what the process has read before. */
async function ask(route: string, query: Readonly<Record<string, string>>) {
  const { status, json } = await place.ask(`/v1/lineage/${route}`, query);
  const { cost: _, ...answer } = json;
  answers.set(`${route} ${Object.values(query).join(' ')}`, `${status} ${JSON.stringify(answer, withoutWords, 1)}`);
  return json;
}

it('answers every question about the sample, now and at each moment, as recorded', async () => {
  const moments = await deliverAll();
  const { items } = await ask('relations', { limit: '200' });
  for (const { relation_ref } of items.filter((one: { relation_ref: string }) => !isAlike(one.relation_ref))) {
    const { columns = [] } = await ask('relation', { relation_ref });
    for (const { name } of columns)
      await ask('impact', { relation_ref, column_ref: name, direction: 'both', influence: 'all' });
    const { edges } = (await ask('impact', { relation_ref, direction: 'both' })) as ImpactAnswer;
    for (const { upstream, downstream } of edges)
      if (upstream === relation_ref && !isAlike(downstream)) await ask('edges/explain', { upstream, downstream });
    for (const as_of of moments) await ask('impact', { relation_ref, direction: 'both', as_of });
  }
  const digests = [...answers].map(
    ([question, answer]) => `${question}: ${sha256(answer).toString('hex').slice(0, 16)}`,
  );
  const { CORPUS: folder } = process.env;
  if (folder) {
    mkdirSync(folder, { recursive: true });
    for (const [question, answer] of answers)
      writeFileSync(path.join(folder, `${question.replaceAll(/[^\w.-]+/g, '_')}.json`), `${answer}\n`);
  }
  await expect(`${digests.join('\n')}\n`).toMatchFileSnapshot('./__snapshots__/answers-corpus.snap');
});
