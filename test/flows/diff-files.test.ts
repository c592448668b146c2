import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import crm from '../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const push = (project_id = 'crm') =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: shopManifest(),
    completeness: 'complete',
    project_id,
    source_event_key: randomUUID(),
  });
async function diff(body: object): Promise<LineageDiff> {
  const { status, json } = await place.post('/v1/lineage/diff', body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

type Nodes = Parameters<NonNullable<Parameters<typeof shopManifest>[0]>>[0];
const changes = {
  'a column that is removed': (nodes: Nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''),
  'another formula': (nodes: Nodes) => inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount + r.rate'),
  'another filter': (nodes: Nodes) => inSql(nodes, 'stg_orders', 'amount > 0', 'amount > 1'),
  'a column more': (nodes: Nodes) => inSql(nodes, 'customers', 'select customer_id', 'select 1 as one, customer_id'),
  nothing: () => undefined,
};
const sqlOf = (model: string, manifest = shopManifest()) =>
  String((manifest.nodes as Record<string, { compiled_code?: string }>)[`model.shop.${model}`]?.compiled_code);

describe('changed files against the project that was pushed (C-DIFF-11)', () => {
  it.each(Object.entries(changes))('answer as the whole manifest does: %s', async (_, change) => {
    await push();
    const manifest = shopManifest((nodes) => void change(nodes));
    const files = ['orders', 'stg_orders', 'customers'].map((model) => {
      return { path: `models/core/${model}.sql`, sql: sqlOf(model, manifest) };
    });
    const { cost: _cost, kept: _kept, from, ...whole } = await diff({ manifest, project_id: 'crm' });
    const { cost: _other, kept: _own, files: read, ...answer } = await diff({ files });
    const claim = { ...whole.claim, evidence_until: expect.any(String) };
    expect(answer).toEqual({ ...whole, claim, from: { ...from, as_of: expect.any(String) } });
    expect(read).toEqual(
      files.map(({ path }) => ({
        path,
        relation_ref: `crm.core.${path.slice('models/core/'.length, -4)}`,
        problem: null,
        unknown_reads: [],
      })),
    );
  });

  it('may name models and sources as dbt does, and relations instead of paths', async () => {
    await push();
    const template = `{{ config(materialized='table') }} {# rates #}
      select o.order_id, o.customer_id, o.amount * r.rate as gross, current_date as loaded_on
      from {{ ref('stg_orders') }} o join {{ ref('shop', 'rates') }} r on r.currency = o.currency`;
    const same = await diff({ files: [{ path: 'orders.sql', sql: template }] });
    expect(same).toMatchObject({ grade: 'safe', edges: [], columns: [], files: [{ problem: null }] });
    const sql =
      "select id as order_id, customer as customer_id, amount, currency from {{ source('raw', 'orders') }} where amount > 0";
    const broken = await diff({ files: [{ path: 'core.stg_orders', sql }] });
    expect(broken.columns).toMatchObject([{ change: 'removed', column: 'note', relation_ref: 'crm.core.stg_orders' }]);
    const read = await diff({
      files: [{ path: 'stg_orders.sql', sql: `${sql} and id in (select id from crm.raw.other)` }],
    });
    expect(read.files).toMatchObject([{ problem: null, unknown_reads: ['crm.raw.other'] }]);
    expect(read.grade).not.toBe('safe');
  });

  it.each([
    ['no_model', 'models/nowhere.sql', 'select 1 as a'],
    ['no_statement', 'models/scores.py', 'def model(): pass'],
    ['template', 'orders.sql', "select {{ dbt_utils.star(ref('stg_orders')) }} from {{ ref('stg_orders') }}"],
    [
      'template',
      'orders.sql',
      "select 1 as a {% if is_incremental() %} where b {% endif %} from {{ ref('stg_orders') }}",
    ],
    ['template', 'orders.sql', "select * from {{ ref('nowhere') }}"],
    ['not_understood', 'orders.sql', 'select from where'],
  ])('are never safe if they cannot be compared: %s of %s', async (problem, path, sql) => {
    await push();
    const bad = { path, sql };
    const only = await diff({ files: [bad] });
    expect(only).toMatchObject({ grade: 'not_evaluated', files: [{ path, problem }], relations: [], columns: [] });
    expect(only.not_evaluated).toMatchObject({ reason: 'files_not_compared', message: expect.stringContaining(path) });
    const same = { path: 'customers.sql', sql: sqlOf('customers') };
    expect(await diff({ files: [bad, same] })).toMatchObject({
      grade: 'not_evaluated',
      not_evaluated: { reason: 'files_not_compared', message: expect.stringMatching(/^1 of 2 files/) },
    });
    const breaking = { path: 'stg_orders.sql', sql: 'select id as order_id from crm.raw.orders' };
    expect(await diff({ files: [bad, breaking] })).toMatchObject({ grade: 'breaking', not_evaluated: null });
  });

  it('change what their configuration renames, disables or builds otherwise', async () => {
    await push();
    const configured = (settings: string) =>
      diff({ files: [{ path: 'stg_orders.sql', sql: `{{ config(${settings}) }}\n${sqlOf('stg_orders')}` }] });
    const stg = 'crm.core.stg_orders';
    const relation = async (settings: string) =>
      (await configured(settings)).relations.find((one) => one.relation_ref === stg);
    expect(await relation("alias='other'")).toMatchObject({ change: 'removed', reasons: ['no_longer_made'] });
    expect(await relation('enabled=false')).toMatchObject({
      reasons: ['no_longer_made', 'inputs_changed'],
      grade: 'breaking',
    });
    expect(await relation("materialized='incremental'")).toMatchObject({
      reasons: ['configuration_changed'],
      grade: 'risky',
    });
    expect(await relation("materialized='ephemeral'")).toMatchObject({ change: 'removed' });
    expect(await configured("alias=var('x')")).toMatchObject({
      grade: 'not_evaluated',
      files: [{ problem: 'template' }],
    });
    expect(await configured("tags=['x']")).toMatchObject({ grade: 'safe', relations: [] });
  });

  it('need a project that was pushed, and its name if there are several', async () => {
    const files = [{ path: 'orders.sql', sql: 'select 1 as a' }];
    expect(await diff({ files })).toMatchObject({ grade: 'not_evaluated', not_evaluated: { reason: 'no_base' } });
    await push();
    await linkProject(world.operator, place.workspace, 'other');
    await push('other');
    const several = await diff({ files });
    expect(several.not_evaluated).toMatchObject({ reason: 'no_base', linked_projects: ['crm', 'other'] });
    expect(several.not_evaluated?.message).toContain('project_id');
    expect(await diff({ files, project_id: 'crm' })).toMatchObject({ grade: 'risky', not_evaluated: null });
    const both = await place.post('/v1/lineage/diff', { files, manifest: shopManifest() });
    expect(both.status).toBe(422);
  });

  it('are compared with a SQLMesh project too', async () => {
    const project = { project: crm, completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() };
    await place.declare('/v1/lineage/sqlmesh/project', project);
    const sqlOf = (name: string) => String(crm.models.find((one) => one.name === name)?.rendered_sql);
    const path = 'core.leaky';
    const files = ['core.leaky', 'core.by_name', 'core.backticks'].map((path) => ({ path, sql: sqlOf(path) }));
    const same = await diff({ files, project_id: 'crm' });
    expect(same.files).toMatchObject(files.map(() => ({ problem: null })));
    const whole = await diff({ project: crm, project_id: 'crm' });
    for (const part of ['grade', 'relations', 'edges', 'columns'] as const) expect(same[part]).toEqual(whole[part]);
    const less = await diff({ files: [{ path, sql: 'select 1 as only_one' }] });
    expect(less.grade).not.toBe('safe');
  });
});
