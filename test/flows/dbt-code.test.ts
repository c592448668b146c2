import { describe, expect, it } from 'vitest';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { diffManifest, pushManifest } from '../support/crm-manifests.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const source = { resource_type: 'source', database: 'crm', schema: 'raw', identifier: 'orders', name: 'orders' };
const model = (schema: string, name: string, compiled_code: string, nodes: readonly string[]) => ({
  [`model.crm.${name}`]: {
    ...{ resource_type: 'model', name, alias: name, database: 'crm', schema, compiled_code, depends_on: { nodes } },
    relation_name: `"crm"."${schema}"."${name}"`,
  },
});
const code = (resource_type: string, name: string, more: object) => ({
  [`${resource_type}.crm.${name}`]: { ...{ resource_type, name, language: 'sql' }, ...more },
});
const metric = (name: string, input?: object) => ({
  [`metric.crm.${name}`]: {
    ...{ name, resource_type: 'metric', type_params: { measure: { name: 'gross', ...input } } },
    depends_on: { nodes: ['semantic_model.crm.sales'] },
  },
});

type Version = {
  readonly schema?: string;
  readonly body?: string;
  readonly measure?: object;
  /** What the first metric has of its measure. */
  readonly input?: object;
  readonly grouping?: readonly string[];
  readonly operations?: object;
  readonly columns?: string;
};

const manifest = (version: Version = {}) => {
  const {
    schema = 'core',
    body = 'amount * 2',
    measure,
    input,
    grouping = [],
    operations,
    columns = 'id, amount',
  } = version;
  const orders = `"crm"."${schema}"."orders"`;
  return {
    metadata: { adapter_type: 'postgres', project_name: 'crm' },
    nodes: {
      ...model(schema, 'orders', `select ${columns} from "crm"."raw"."orders"`, ['source.crm.raw.orders']),
      ...model(schema, 'doubled', `select crm.core.f(id) as f from ${orders}`, ['model.crm.orders', 'function.crm.f']),
      ...operations,
    },
    sources: { 'source.crm.raw.orders': source },
    functions: code('function', 'f', { raw_code: body, depends_on: { nodes: [] } }),
    semantic_models: {
      'semantic_model.crm.sales': {
        ...{ name: 'sales', node_relation: { relation_name: orders }, depends_on: { nodes: ['model.crm.orders'] } },
        ...{ entities: [{ name: 'id' }], measures: [{ name: 'gross', agg: 'sum', expr: 'amount', ...measure }] },
      },
    },
    metrics: { ...metric('gross', input), ...metric('net'), ...metric('other') },
    saved_queries: {
      'saved_query.crm.weekly': {
        ...{ name: 'weekly', depends_on: { nodes: ['metric.crm.gross'] } },
        query_params: { metrics: ['gross'], group_by: grouping },
      },
    },
  };
};

const push = (version?: Version) => pushManifest(place, manifest(version));
const diff = (version: Version) => diffManifest(place, manifest(version));
const changedIn = ({ relations }: LineageDiff) => relations.map(({ relation_ref }) => relation_ref);

describe('code beside models (C-DBT-1)', () => {
  const reads = { depends_on: { nodes: ['model.crm.doubled'] } };

  it.each(['operation', 'function'])('is a consumer of what it reads: %s', async (kind) => {
    const id = `${kind}.crm.hook`;
    const operations = code(kind, 'hook', { ...reads, raw_code: "select f from {{ ref('doubled') }}" });
    await push({ operations: kind === 'operation' ? operations : {} });
    const functions = { ...manifest().functions, ...operations };
    if (kind === 'function')
      await place.declare('/v1/lineage/dbt/manifest', { manifest: { ...manifest(), functions }, project_id: 'crm' });
    const question = { relation_ref: 'crm.core.doubled' };
    const { json } = await place.ask('/v1/lineage/impact', question);
    expect(json.downstream).toMatchObject([{ relation_ref: id, kind: 'exposure' }]);
    const ofColumn = await place.ask('/v1/lineage/impact', { ...question, column_ref: 'f' });
    expect(ofColumn.json.claim.kind).toBe('may_break');
  });

  it('that a model calls changes its rows (C-DIFF-6)', async () => {
    await push();
    const answer = await diff({ body: 'amount * 3' });
    expect([answer.grade, changedIn(answer)]).toEqual(['risky', ['crm.core.doubled']]);
  });
});

describe('a definition of the semantic layer (C-DIFF-6)', () => {
  it('is compared: what a metric computes, and what a saved query groups by', async () => {
    await push();
    expect((await diff({})).relations).toEqual([]);
    const metrics = ['gross', 'net', 'other'].map((name) => `metric.crm.${name}`);
    const average = await diff({ measure: { agg: 'average' } });
    expect([average.grade, changedIn(average)]).toEqual(['risky', metrics]);
    const filled = await diff({ input: { fill_nulls_with: 0 } });
    expect([filled.grade, changedIn(filled)]).toEqual(['risky', ['metric.crm.gross']]);
    const grouped = await diff({ grouping: ["Dimension('id')"] });
    expect([grouped.grade, changedIn(grouped)]).toEqual(['risky', ['saved_query.crm.weekly']]);
    expect((await diff({ measure: { description: 'in euro' } })).grade).toBe('safe');
  });

  it('is the same over models that another target has elsewhere', async () => {
    await push();
    expect(await diff({ schema: 'pr_1' })).toMatchObject({ grade: 'safe', relations: [], columns: [] });
  });
});
