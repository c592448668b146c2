import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyImplementations } from '../../functions/policy/policy.ts';
import { policyRoutes } from '../../shared/contract/policy.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { policyPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { shop, shopNamespace, shopRows, shopValues } from '../support/dbt-ol-shop.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);

type Step = (place: LineagePlace) => Promise<unknown>;
const newPlace = () => world.place({ kind: 'duckdb', namespaces: [shopNamespace] });

const manifest: Step = (place) => place.declare('/v1/lineage/dbt/manifest', { manifest: shop.manifest });
const build: Step = (place) => place.emit(shop.build());
const older: Step = (place) => place.emit(shop.older());
const structured: Step = (place) => place.emit(shop.structured());

type End = { readonly relation_ref: string; readonly column: string | null };
type Path = { readonly upstream: End; readonly downstream: End; readonly type: string };

const short = (text: string) => text.replaceAll('shop.main.', '');

/** What feeds one column, and the reasons why that is not all known. */
async function feeds(place: LineagePlace, relation: string, column: string) {
  const { status, json } = await place.ask('/v1/lineage/impact', {
    relation_ref: `shop.main.${relation}`,
    column_ref: column,
    direction: 'upstream',
    max_depth: '1',
  });
  expect(status, JSON.stringify(json)).toBe(200);
  const paths: readonly Path[] = json.column_lineage.paths;
  const sourcesOf = (type: string) => {
    const found = paths.filter((one) => one.type === type).map(({ upstream: at }) => `${at.relation_ref}.${at.column}`);
    return short([...new Set(found)].sort().join(' '));
  };
  const reasons = json.precision.reasons.map(({ reason }: { readonly reason: string }) => reason);
  return { values: sourcesOf('DIRECT'), rows: sourcesOf('INDIRECT'), reasons: [...new Set<string>(reasons)].sort() };
}

/** The columns of the project whose answer is exactly what a person reads in the models. */
async function exactColumns(place: LineagePlace): Promise<{ exact: string[]; others: string[] }> {
  const [exact, others]: [string[], string[]] = [[], []];
  for (const [relation, columns] of Object.entries(shopValues))
    for (const [column, values] of Object.entries(columns)) {
      const found = await feeds(place, relation, column);
      const rows = shopRows[relation];
      const hasRows = rows === undefined || rows === found.rows;
      const isExact = found.values === values && hasRows && found.reasons.length === 0;
      if (isExact) exact.push(`${relation}.${column}`);
      else others.push(`${relation}.${column}: ${JSON.stringify(found)}`);
    }
  return { exact, others };
}

/** The project as SQLMesh would export it: another producer, whose statements say the same. */
function sqlmeshExport() {
  const nodes = new Map(Object.entries(shop.manifest.nodes));
  const fqn = (id: string) => `"shop"."main"."${nodes.get(id)?.name}"`;
  const isInlined = (id: string) => nodes.get(id)?.config.materialized === 'ephemeral';
  const readBy = (id: string): string[] =>
    (nodes.get(id)?.depends_on.nodes ?? []).flatMap((one) => (isInlined(one) ? readBy(one) : one));
  const relations = [...nodes].filter(([id]) => !isInlined(id));
  return {
    schema: 'service.sqlmesh-project@v1',
    project: { name: 'shop' },
    environment: 'prod',
    dialect: 'duckdb',
    models: relations.map(([id, node]) => ({
      name: `main.${node.name}`,
      fqn: fqn(id),
      kind: { name: node.resource_type === 'seed' ? 'SEED' : 'FULL' },
      language: node.resource_type === 'seed' ? 'seed' : 'sql',
      depends_on: readBy(id).map(fqn),
      rendered_sql: 'compiled_code' in node ? node.compiled_code : null,
    })),
  };
}
const sqlmesh: Step = (place) => place.declare('/v1/lineage/sqlmesh/project', { project: sqlmeshExport() });

/** What a job of Spark says that writes a relation; null: it maps no columns. */
function sparkEvent(relation: string, values: Readonly<Record<string, string>> | null) {
  const spec = 'https://openlineage.io/spec/facets';
  const _producer = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/spark';
  const named = (source: string, transformation: object) => {
    const [name, field] = source.split('.');
    return { namespace: shopNamespace, name: `shop.main.${name}`, field, transformations: [transformation] };
  };
  const sources = (text: string) => text.split(' ').filter((one) => one !== '');
  const fields = Object.entries(values ?? {}).map(([column, text]) => [
    column,
    { inputFields: sources(text).map((one) => named(one, { type: 'DIRECT', subtype: 'TRANSFORMATION' })) },
  ]);
  const rows = sources(shopRows[relation] ?? '').map((one) => named(one, { type: 'INDIRECT', subtype: 'FILTER' }));
  const facet = {
    _producer,
    _schemaURL: `${spec}/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet`,
  };
  const columnLineage = { ...facet, fields: Object.fromEntries(fields), dataset: rows };
  const inputs = new Set([...Object.values(values ?? {}), shopRows[relation] ?? ''].flatMap(sources));
  const names = new Set([...inputs].map((one) => `shop.main.${one.split('.')[0]}`));
  return {
    eventType: 'COMPLETE',
    eventTime: new Date().toISOString(),
    producer: _producer,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: randomUUID() },
    job: { namespace: 'spark', name: `nightly.${relation}` },
    inputs: [...names].map((name) => ({ namespace: shopNamespace, name })),
    outputs: [
      { namespace: shopNamespace, name: `shop.main.${relation}`, ...(values && { facets: { columnLineage } }) },
    ],
  };
}
const copied = ['monthly', 'big_spenders', 'dim_customers'] as const;
const spark: Step = (place) => place.emit(copied.map((one) => sparkEvent(one, shopValues[one] ?? null)));

/** From now on no evidence of manifests counts. */
async function withoutDeclared({ workspace, connector, tokens }: LineagePlace) {
  const ports = policyPorts();
  const respond = responder(policyRoutes, policyImplementations(ports), httpPorts());
  const filters = { ...safeDefaults, provider_rules: [{ provider_type: 'dbt_manifest', action: 'exclude' }] };
  const { status, body } = await respond(
    request('PUT', '/v1/connectors/{connector_id}/lineage-policy', {
      token: tokens.admin,
      params: { connector_id: connector.id },
      body: { workspace_id: workspace, filters },
    }),
  );
  expect(status, String(body)).toBe(200);
}

const everyColumn = Object.values(shopValues).flatMap((columns) => Object.keys(columns)).length;

/** The columns downstream of a model's row influences, and whether that is exact. */
async function reached(place: LineagePlace, relation: string, column: string, asOf?: string) {
  const { json } = await place.ask('/v1/lineage/impact', {
    relation_ref: `shop.main.${relation}`,
    column_ref: column,
    direction: 'downstream',
    ...(asOf !== undefined && { as_of: asOf }),
  });
  const { downstream, precision, column_lineage: lineage } = json;
  const names = downstream.map((one: { relation_ref: string; columns: string[] }) => [one.relation_ref, one.columns]);
  return JSON.stringify({ names, precision, paths: lineage.paths });
}

describe('sources added one by one over one project', () => {
  it.each([
    ['the manifest first', [manifest, build, structured, sqlmesh, spark], [43, 43, 43, 43, 43]],
    ['the manifest last', [structured, build, spark, sqlmesh, manifest], [0, 43, 43, 43, 43]],
  ])('never make a column less exact: %s (C-EVIDENCE-7)', async (_, steps, counts) => {
    const place = await newPlace();
    const found: string[][] = [];
    for (const step of steps) {
      await step(place);
      const { exact, others } = await exactColumns(place);
      expect(others.length + exact.length).toBe(everyColumn);
      expect(found.at(-1) ?? []).toEqual(exact.filter((one) => (found.at(-1) ?? []).includes(one)));
      found.push(exact);
    }
    expect(found.map(({ length }) => length)).toEqual(counts);
  });

  it('answer the same in any order of arrival, now and as of each moment (C-EVIDENCE-7, C-COLUMNS-11)', async () => {
    const steps = [manifest, build, older, structured, sqlmesh, spark];
    const questions = [
      ['stg_orders', 'status'],
      ['raw_orders', 'amount'],
      ['dim_customers', 'spend'],
    ] as const;
    const answers = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(steps, { minLength: steps.length }), async (order) => {
        const place = await newPlace();
        const before: { readonly at: string; readonly answer: string }[] = [];
        for (const step of order) {
          await step(place);
          const answer = await reached(place, 'stg_orders', 'status');
          before.push({ at: new Date().toISOString(), answer });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        for (const { at, answer } of before) expect(await reached(place, 'stg_orders', 'status', at)).toBe(answer);
        answers.add(JSON.stringify(await Promise.all(questions.map(([one, column]) => reached(place, one, column)))));
        expect(answers.size).toBe(1);
      }),
      { numRuns: 3 },
    );
  });

  it('are doubted if another producer writes the same relation and maps no columns (C-IMPACT-6)', async () => {
    const place = await newPlace();
    await manifest(place);
    await place.emit([sparkEvent('big_spenders', null), sparkEvent('unreturned', null)]);
    expect(await feeds(place, 'unreturned', 'amount')).toMatchObject({ reasons: ['columns_not_reported'] });
    expect(await feeds(place, 'monthly', 'revenue')).toMatchObject({ reasons: [] });
  });

  it('do not represent a statement while a policy leaves them out (C-EVIDENCE-7)', async () => {
    const place = await newPlace();
    await manifest(place);
    await structured(place);
    expect(await feeds(place, 'unreturned', 'amount')).toMatchObject({ reasons: [] });
    await withoutDeclared(place);
    expect(await feeds(place, 'unreturned', 'amount')).toMatchObject({ values: '', reasons: ['columns_not_reported'] });
  });
});

describe('the lineage of dbt-ol for a project without a manifest', () => {
  it.each([
    ['build', build, 43],
    ['an older version', older, 35],
  ])('has the values of columns and what decides rows: %s (C-OPENLINEAGE-21)', async (_, step, count) => {
    const place = await newPlace();
    await step(place);
    const { exact } = await exactColumns(place);
    expect(exact.length).toBe(count);
    const { json } = await place.ask('/v1/lineage/impact', {
      relation_ref: 'shop.main.stg_orders',
      column_ref: 'status',
      direction: 'downstream',
    });
    const names = json.downstream.map(({ relation_ref }: { relation_ref: string }) => short(relation_ref));
    expect(names).toEqual(
      expect.arrayContaining(['dim_customers', 'fct_orders', 'fct_returns', 'monthly', 'country_sales', 'report']),
    );
  });

  it.each([
    ['build', build],
    ['an older version', older],
    ['structured logs', structured],
  ])('names no ephemeral model and no test as a relation: %s (C-OPENLINEAGE-20)', async (_, step) => {
    const place = await newPlace();
    await step(place);
    const { json } = await place.ask('/v1/lineage/relations', { q: '', limit: '100' });
    const names = json.items.map(({ relation_ref }: { relation_ref: string }) => short(relation_ref));
    expect(names).toContain('dim_customers');
    expect(names.filter((name: string) => name.includes('eph_') || name.includes('dbt_test'))).toEqual([]);
  });

  it('leads through ephemeral models that it shows no text of, until a text is known (C-OPENLINEAGE-20)', async () => {
    const place = await newPlace();
    await structured(place);
    const names = async () =>
      JSON.parse(await reached(place, 'stg_orders', 'status')).names.map(([name]: [string]) => short(name));
    const alone = await names();
    expect(alone).toEqual(expect.arrayContaining(['fct_orders', 'dim_customers', 'report']));
    expect(alone.filter((name: string) => name.includes('eph_')).length).toBeGreaterThan(0);
    await manifest(place);
    const beside = await names();
    expect(beside.filter((name: string) => name.includes('eph_'))).toEqual([]);
    const declared = await newPlace();
    await manifest(declared);
    expect(await reached(place, 'stg_orders', 'status')).toBe(await reached(declared, 'stg_orders', 'status'));
  });
});
