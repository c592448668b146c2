import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EdgeExplanation } from '../../shared/contract/explain.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const core = (table: string) => `crm.core.${table}`;
const ends = { upstream: core('raw'), downstream: core('mart') };
const columnQuery = { relation_ref: core('raw'), column_ref: 'a', direction: 'downstream' };

async function ask<T>(path: string, query: Record<string, string>): Promise<T> {
  const { status, json } = await place.ask(path, query);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const explain = (at: object = {}) => ask<EdgeExplanation>('/v1/lineage/edges/explain', { ...ends, ...at });
const impact = (at: object = {}) => ask<ImpactAnswer>('/v1/lineage/impact', { ...columnQuery, ...at });
const relation = (at: object = {}) =>
  ask<{ readonly columns: unknown }>('/v1/lineage/relation', { relation_ref: core('mart'), ...at });

/** What is answered, at a moment or now: of deliveries that say the same any may be named. */
async function answers(at: object = {}) {
  const [{ evidence, ...explained }, { edges, downstream, precision, column_lineage }, { columns }] = [
    await explain(at),
    await impact(at),
    await relation(at),
  ];
  return {
    evidence: evidence.map(({ delivery, observed_at: _, ...one }) => ({ ...one, kind: delivery?.kind })),
    edge: { status: explained.status, confidence: explained.confidence },
    impact: { edges: edges.map(({ evidence: _, ...one }) => one), downstream, precision, column_lineage },
    columns,
  };
}

/** The moment of an answer, after which everything that follows happens. */
async function moment(): Promise<string> {
  const { as_of } = await explain();
  for (;;) if (new Date().toISOString() > as_of) return as_of;
}

/** Takes deliveries one after the other; what was answered after each is answered of its moment when all are there. */
async function comparedTo(deliveries: readonly (() => ReturnType<LineagePlace['declare']>)[]) {
  const used: string[] = [];
  const then: { readonly at: string; readonly answered: unknown; readonly known: readonly string[] }[] = [];
  for (const deliver of deliveries) {
    const { status, json } = await deliver();
    expect(status, JSON.stringify(json)).toBe(202);
    used.push(json.delivery_id);
    then.push({ answered: await answers(), at: await moment(), known: [...used] });
  }
  expect(new Set(then.map(({ answered }) => JSON.stringify(answered))).size).toBe(deliveries.length);
  for (const { at, answered, known } of then) {
    expect(await answers({ as_of: at })).toEqual(answered);
    for (const { delivery } of (await explain({ as_of: at })).evidence) expect(known).toContain(delivery?.delivery_id);
  }
}

const model = (name: string, sql: string, reads: readonly string[]) => ({
  [`model.crm.${name}`]: {
    ...{ resource_type: 'model', database: 'crm', schema: 'core', name, alias: name, compiled_code: sql },
    depends_on: { nodes: reads.map((one) => `model.crm.${one}`) },
  },
});
const dbt = (sql: string, completeness = 'complete') =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: {
      metadata: { adapter_type: 'postgres' },
      nodes: { ...model('raw', 'select 1 as a, 2 as b', []), ...model('mart', sql, ['raw']) },
      sources: {},
    },
    completeness,
    project_id: 'crm',
    source_event_key: randomUUID(),
  });

it('tells what a manifest said of an edge by a moment, not what a later one says (C-EXPLAIN-5, C-IMPACT-18)', async () => {
  const from = 'from "crm"."core"."raw"';
  await comparedTo([
    () => dbt(`select a as x ${from}`),
    () => dbt(`select b as x ${from}`),
    () => dbt(`select a as y ${from}`, 'partial'),
    () => dbt(`select a + b as y ${from}`, 'partial'),
    () => dbt(`select a as x, b as z ${from}`),
  ]);
});

const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,${core(table)},PROD)`;
const field = (table: string, column: string) => `urn:li:schemaField:(${urn(table)},${column})`;
const catalog = (pairs: readonly string[], completeness = 'complete') =>
  place.declare('/v1/lineage/datahub', {
    export: [
      {
        upstreamUrn: urn('raw'),
        downstreamUrn: urn('mart'),
        fineGrainedLineages: pairs.map(([up = '', down = '']) => ({
          upstreams: [field('raw', up)],
          downstreams: [field('mart', down)],
        })),
      },
    ],
    completeness,
    import_source: 'shop',
    source_event_key: randomUUID(),
  });

it('answers of each moment of a DataHub catalog what it answered then (C-EXPLAIN-5, C-IMPACT-18)', async () => {
  await comparedTo([
    () => catalog(['ax']),
    () => catalog(['by'], 'partial'),
    () => catalog(['ay', 'bx'], 'partial'),
    () => catalog(['ax', 'by']),
    () => catalog(['bx']),
  ]);
});

it('reaches the table with column_map_of_that_time_not_kept for the report of an earlier run (C-EXPLAIN-5, C-IMPACT-18)', async () => {
  const run = (column: string) =>
    place.emit(
      runEvent(place.namespace, [ends.upstream], [ends.downstream], {
        ...{ job: 'nightly', sql: `insert into core.mart select ${column} from core.raw` },
        columns: { x: [[ends.upstream, column]] },
      }),
    );
  const other = runEvent(place.namespace, [ends.upstream], [core('other')], { columns: { x: [[ends.upstream, 'a']] } });
  await place.emit(other);
  await run('a');
  const [before, at] = [await answers(), await moment()];
  await run('b');
  const { evidence } = await explain({ as_of: at });
  const unresolved = [{ column: null, reason: 'column_map_of_that_time_not_kept' }];
  expect(evidence).toMatchObject([
    {
      ...{ disposition: 'admitted', producer: null, statement_kind: null, delivery: null, said_by: [], sql: null },
      ...{ delivery_missing_reason: 'statement_not_kept', columns: [], columns_unresolved: unresolved },
    },
  ]);
  const { downstream, precision } = await impact({ as_of: at });
  expect(downstream.map(({ relation_ref }) => relation_ref)).toEqual([ends.downstream, core('other')]);
  expect(precision).toMatchObject({ delivered: 'mixed', reasons: [{ reason: 'column_map_of_that_time_not_kept' }] });
  expect((await impact()).downstream.map(({ relation_ref }) => relation_ref)).toEqual([core('other')]);
  await run('a');
  expect(await answers()).toEqual(before);
});
