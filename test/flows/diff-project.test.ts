import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { limits } from '../../shared/contract/limits.ts';
import { findingsOf } from '../../shared/domain/lineage/report/diff-report.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import crm from '../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const core = (table: string) => `crm.core.${table}`;
const take = () =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: shopManifest(),
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });
const post = (body: object, parts = {}) => place.post('/v1/lineage/diff', { project_id: 'crm', ...body }, parts);
async function diff(change: Parameters<typeof shopManifest>[0], extra: object = {}): Promise<LineageDiff> {
  const { status, json } = await post({ manifest: shopManifest(change), ...extra });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const columnOf = (answer: LineageDiff, relation: string, column: string) =>
  answer.columns.find((one) => one.relation_ref === relation && one.column === column);
const impacted = (effect: { breaks: LineageDiff['columns'][number]['breaks'] } | undefined) =>
  effect?.breaks.map(({ relation_ref, grade }) => [relation_ref, grade]);

describe('a branch against its live scope', () => {
  it('has no changes if it equals the accepted manifest', async () => {
    await take();
    expect(await diff(undefined)).toMatchObject({
      grade: 'safe',
      relations: [],
      edges: [],
      columns: [],
      from: { kind: 'scope', scope_key: `connector:${place.connector.id}:dbt-project:crm`, found: true },
      to: { kind: 'document' },
      next_cursor: null,
      truncated: { any: false },
    });
  });

  it('breaks what reads a column that it removes, by mappings all the way, and puts at risk what only may read it (C-DIFF-3)', async () => {
    await take();
    const answer = await diff((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''));
    const removed = columnOf(answer, core('orders'), 'gross');
    expect(removed).toMatchObject({ change: 'removed', grade: 'breaking', after: null, walked: true });
    expect(removed?.before).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ relation_ref: core('stg_orders'), column: 'amount', type: 'DIRECT' }),
      ]),
    );
    expect(impacted(removed)).toEqual([
      [core('customers'), 'breaking'],
      [core('scores'), 'risky'],
      ['exposure.shop.weekly', 'risky'],
    ]);
    expect(answer).toMatchObject({ grade: 'breaking', summary: { columns: { removed: 1 }, grades: { breaking: 1 } } });
  });

  it('reports the removal of a column without sources that a model reads', async () => {
    await take();
    const answer = await diff((nodes) => inSql(nodes, 'orders', ', current_date as loaded_on', ''));
    expect(columnOf(answer, core('orders'), 'loaded_on')).toMatchObject({
      change: 'removed',
      before: [],
      grade: 'breaking',
    });
  });

  it('breaks what filters by a column that it removes, and nothing that takes all columns there are', async () => {
    const change = (nodes: Parameters<NonNullable<Parameters<typeof shopManifest>[0]>>[0]) => {
      inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', '');
      inSql(nodes, 'customers', 'sum(gross) as total, ', '');
    };
    await take();
    const filtered = await diff((nodes) => {
      change(nodes);
      inSql(nodes, 'customers', 'group by', 'where gross > 0 group by');
    });
    expect(impacted(columnOf(filtered, core('orders'), 'gross'))?.[0]).toEqual([core('customers'), 'breaking']);
    const starred = await diff((nodes) => {
      change(nodes);
      inSql(nodes, 'customers', 'customer_id, max(loaded_on) as loaded_on', '*');
      inSql(nodes, 'customers', 'group by customer_id', '');
    });
    expect(columnOf(starred, core('orders'), 'gross')).toMatchObject({ change: 'removed', grade: 'safe' });
  });

  it('breaks what only names a column that it removes, and nothing that only names one that it changes (C-COLUMNS-9)', async () => {
    const named = (nodes: Parameters<NonNullable<Parameters<typeof shopManifest>[0]>>[0]) => {
      inSql(nodes, 'customers', 'sum(gross) as total, ', '');
      const list = 'customer_id, gross, loaded_on';
      inSql(nodes, 'customers', 'from "crm"."core"."orders"', `from (select ${list} from "crm"."core"."orders") q`);
    };
    await take();
    const removed = await diff((nodes) => {
      named(nodes);
      inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', '');
    });
    expect(impacted(columnOf(removed, core('orders'), 'gross'))?.[0]).toEqual([core('customers'), 'breaking']);
    const changed = await diff((nodes) => {
      named(nodes);
      inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount');
    });
    expect(impacted(columnOf(changed, core('orders'), 'gross'))).toEqual([]);
  });

  it('is safe if it adapts the readers of a removed column, or if the column has none', async () => {
    await take();
    const unread = await diff((nodes) => inSql(nodes, 'stg_orders', ', note', ''));
    expect(unread.columns).toMatchObject([{ column: 'note', change: 'removed', grade: 'safe', breaks: [] }]);
    const adapted = await diff((nodes) => {
      inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', '');
      inSql(nodes, 'customers', 'sum(gross) as total, ', '');
    });
    expect(columnOf(adapted, core('orders'), 'gross')).toMatchObject({ change: 'removed', grade: 'safe' });
    expect(columnOf(adapted, core('customers'), 'total')).toMatchObject({ change: 'removed', grade: 'risky' });
  });

  it('breaks readers outside of the project too', async () => {
    await take();
    await place.emit(
      runEvent(place.namespace, [core('orders')], ['crm.bi.kpi'], { columns: { value: [[core('orders'), 'gross']] } }),
    );
    await place.emit(runEvent(place.namespace, [core('orders')], ['crm.bi.copy']));
    const answer = await diff((nodes) => {
      inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', '');
      inSql(nodes, 'customers', 'sum(gross) as total, ', '');
    });
    expect(impacted(columnOf(answer, core('orders'), 'gross'))).toEqual([
      ['crm.bi.copy', 'risky'],
      ['crm.bi.kpi', 'breaking'],
    ]);
  });

  it('puts at risk what reads a column that is made otherwise, or all of a relation that is filtered otherwise', async () => {
    await take();
    const meaning = await diff((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount'));
    const gross = columnOf(meaning, core('orders'), 'gross');
    expect(gross).toMatchObject({ change: 'changed', grade: 'risky' });
    expect(impacted(gross)?.[0]).toEqual([core('customers'), 'risky']);
    const filtered = await diff((nodes) => inSql(nodes, 'stg_orders', 'where amount > 0', ''));
    expect(filtered.relations).toMatchObject([
      {
        relation_ref: core('stg_orders'),
        change: 'changed',
        reasons: ['filter_changed'],
        grade: 'risky',
      },
    ]);
  });

  it('breaks anyone who reads a model that it removes', async () => {
    await take();
    await place.emit(runEvent(place.namespace, [core('customers')], ['crm.bi.copy']));
    const answer = await diff((nodes, manifest) => {
      delete nodes['model.shop.customers'];
      delete nodes['model.shop.scores'];
      manifest.exposures['exposure.shop.weekly'].depends_on.nodes = ['model.shop.orders'];
    });
    const removed = answer.relations.filter(({ change }) => change === 'removed');
    expect(removed.map(({ relation_ref, grade, reasons }) => [relation_ref, grade, reasons])).toEqual([
      [core('customers'), 'breaking', ['no_longer_made']],
      [core('scores'), 'safe', ['no_longer_made']],
    ]);
    expect(impacted(removed[0])).toEqual([['crm.bi.copy', 'breaking']]);
    expect(answer.summary.edges).toEqual({ added: 1, removed: 3, changed: 0 });
  });

  it('breaks a statement that still reads a model that it removes, though it declares it no longer', async () => {
    await take();
    const answer = await diff((nodes, manifest) => {
      delete nodes['model.shop.orders'];
      for (const { depends_on } of [...Object.values(nodes), ...Object.values(manifest.exposures)])
        depends_on.nodes = (depends_on.nodes ?? []).filter((id) => id !== 'model.shop.orders');
    });
    const removed = answer.relations.find(({ relation_ref }) => relation_ref === core('orders'));
    expect(removed).toMatchObject({ grade: 'breaking', reasons: expect.arrayContaining(['no_longer_made']) });
    expect(impacted(removed)).toContainEqual(['undeclared read by model.shop.customers', 'breaking']);
  });

  it('adds safely', async () => {
    await take();
    const answer = await diff((nodes) => {
      inSql(nodes, 'orders', 'o.order_id,', 'o.order_id, o.note as remark,');
      const model = structuredClone(nodes['model.shop.customers']);
      if (!model) throw new Error('no model');
      nodes['model.shop.regulars'] = { ...model, alias: 'regulars', relation_name: '"crm"."core"."regulars"' };
    });
    expect(answer.grade).toBe('safe');
    expect(columnOf(answer, core('orders'), 'remark')).toMatchObject({ change: 'added', before: null, grade: 'safe' });
    expect(answer.relations).toContainEqual(
      expect.objectContaining({ change: 'added', relation_ref: core('regulars') }),
    );
  });

  it('names the relations whose columns cannot be compared (C-DIFF-4)', async () => {
    await take();
    const answer = await diff((nodes) => {
      const node = nodes['model.shop.orders'];
      if (node) node.compiled_code = 'select from from';
    });
    expect(answer.precision.reasons.map(({ relation_ref }) => relation_ref)).toContain(core('orders'));
    expect(answer.relations.find(({ relation_ref }) => relation_ref === core('orders'))).toMatchObject({
      reasons: ['columns_unknown', 'statement_not_compared'],
      grade: 'risky',
    });
  });
});

it('compares a SQLMesh project of another environment with the one that is requested', async () => {
  const at = { completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() };
  await place.declare('/v1/lineage/sqlmesh/project', { project: crm, ...at });
  const branch = { ...structuredClone(crm), environment: 'pr_7' };
  expect((await post({ project: branch })).json.from).toMatchObject({ found: false });
  const same = await post({ project: branch, environment: 'prod' });
  expect(same.json).toMatchObject({ from: { found: true }, edges: [], columns: [], grade: 'risky' });
  // Without digests, an export has no information about seed files, Python and unrendered models.
  expect(same.json.relations.map((one: LineageDiff['relations'][number]) => [one.relation_ref, one.reasons])).toEqual(
    ['py', 'regions', 'unrendered'].map((name) => [core(name), ['statement_not_compared']]),
  );
  for (const one of branch.external_models) Reflect.deleteProperty(one.columns, 'owner');
  const { json } = await post({ project: branch, environment: 'prod' });
  expect(json.columns).toContainEqual(
    expect.objectContaining({ relation_ref: core('accounts'), column: 'owner', change: 'removed' }),
  );
});

const relationOf = (answer: LineageDiff, relation: string) =>
  answer.relations.find(({ relation_ref }) => relation_ref === core(relation));

describe('what a branch says otherwise of its models', () => {
  it('puts everything downstream at risk if rows are filtered otherwise by the same columns (C-DIFF-6, C-DIFF-7)', async () => {
    await take();
    const answer = await diff((nodes) => inSql(nodes, 'stg_orders', 'amount > 0', 'amount > 100'));
    expect(relationOf(answer, 'stg_orders')).toMatchObject({
      change: 'changed',
      reasons: ['filter_changed'],
      grade: 'risky',
      model: {
        category: 'breaking',
        rows: true,
        not_compared: null,
        differences: [{ kind: 'filter_changed', column: null, before: 'amount > 0', after: 'amount > 100' }],
      },
    });
    expect(impacted(relationOf(answer, 'stg_orders'))).toEqual([
      [core('orders'), 'risky'],
      [core('customers'), 'risky'],
      [core('scores'), 'risky'],
      ['exposure.shop.weekly', 'risky'],
    ]);
  });

  it('puts readers of a changed formula at risk, and proves that a rewritten formula is equal', async () => {
    await take();
    const formula = await diff((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount / r.rate'));
    expect(columnOf(formula, core('orders'), 'gross')).toMatchObject({ change: 'changed', grade: 'risky' });
    expect(relationOf(formula, 'orders')).toMatchObject({ grade: 'risky', model: { rows: false } });
    expect(formula.summary.grades).toEqual({ safe: 0, risky: 1, breaking: 0 });
    expect(findingsOf(formula)).toMatchObject([
      { column: 'gross', because: 'formula changed: o.amount * r.rate AS gross is now o.amount / r.rate AS gross' },
    ]);
    const written = await diff((nodes) => inSql(nodes, 'stg_orders', 'amount > 0', '(0 < AMOUNT) -- paid'));
    expect(written).toMatchObject({ grade: 'safe', columns: [], edges: [] });
    expect(written.relations).toMatchObject([{ relation_ref: core('stg_orders'), reasons: ['formatting_only'] }]);
  });

  it('compares models that read what they do not declare', async () => {
    const beside = (item: string) =>
      shopManifest((nodes) => inSql(nodes, 'orders', 'join', `cross join "crm"."raw"."holidays" h ${item} join`));
    const at = { completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() };
    await place.declare('/v1/lineage/dbt/manifest', { manifest: beside(''), ...at });
    expect(await diff(undefined)).toMatchObject({ matched_by: 'model' });
    const filtered = await post({ manifest: beside('cross join "crm"."raw"."days" d') });
    expect(relationOf(filtered.json, 'orders')).toMatchObject({ model: { rows: true } });
    const gone = shopManifest((nodes) => {
      inSql(nodes, 'orders', 'join', 'cross join "crm"."raw"."holidays" h join');
      inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', '');
    });
    expect(columnOf((await post({ manifest: gone })).json, core('orders'), 'gross')).toMatchObject({
      change: 'removed',
    });
  });

  it('tells a formula that changed in a CTE once, with the column that it reaches', async () => {
    const inCte =
      (formula: string): Parameters<typeof shopManifest>[0] =>
      (nodes) => {
        const orders = nodes['model.shop.orders'];
        if (orders) orders.compiled_code = `with q as (${orders.compiled_code}) select * from q`;
        inSql(nodes, 'orders', 'o.amount * r.rate', formula);
      };
    const at = { completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() };
    const manifest = shopManifest(inCte('o.amount * r.rate'));
    await place.declare('/v1/lineage/dbt/manifest', { manifest, ...at });
    expect(findingsOf(await diff(inCte('o.amount / r.rate')))).toMatchObject([
      { column: 'gross', because: 'formula changed: o.amount * r.rate AS gross is now o.amount / r.rate AS gross' },
    ]);
  });

  it('compares with the newest push, also if that push did not change the lineage', async () => {
    await take();
    const filtered = (nodes: Parameters<NonNullable<Parameters<typeof shopManifest>[0]>>[0]) =>
      inSql(nodes, 'stg_orders', 'amount > 0', 'amount > 100');
    const at = { completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() };
    await place.declare('/v1/lineage/dbt/manifest', { manifest: shopManifest(filtered), ...at });
    expect((await diff(filtered)).relations).toEqual([]);
    expect(relationOf(await diff(undefined), 'stg_orders')?.model?.differences).toMatchObject([
      { before: 'amount > 100', after: 'amount > 0' },
    ]);
  });

  it('shows no literal if the connector masks them (C-POLICY-16)', async () => {
    await take();
    await updateConnector(world.operator, place.workspace, place.connector.id, { expression_literals: 'masked' });
    const answer = await diff((nodes) => {
      inSql(nodes, 'stg_orders', 'amount > 0', 'amount > 424242');
      Object.assign(nodes['model.shop.orders'] ?? {}, {
        config: { materialized: 'incremental', incremental_predicates: ['x > 434343'] },
      });
    });
    expect(relationOf(answer, 'stg_orders')?.model?.differences).toMatchObject([
      { kind: 'filter_changed', before: 'amount > ?', after: 'amount > ?' },
    ]);
    expect(relationOf(answer, 'orders')?.model?.settings).toContainEqual({
      name: 'incremental_predicates',
      before: null,
      after: null,
    });
    expect(JSON.stringify(answer)).not.toMatch(/424242|434343/);
  });

  it('takes files of seeds and settings that decide rows for changes, and says what it cannot compare', async () => {
    await take();
    const seed = await diff((nodes) =>
      Object.assign(nodes['seed.shop.rates'] ?? {}, { checksum: { name: 'sha256', checksum: 'x' } }),
    );
    expect(relationOf(seed, 'rates')).toMatchObject({ reasons: ['seed_changed'], grade: 'risky' });
    const settings = await diff((nodes) =>
      Object.assign(nodes['model.shop.orders'] ?? {}, {
        config: { materialized: 'incremental', unique_key: 'order_id' },
      }),
    );
    expect(relationOf(settings, 'orders')).toMatchObject({ reasons: ['configuration_changed'], grade: 'risky' });
    const view = await diff((nodes) =>
      Object.assign(nodes['model.shop.orders'] ?? {}, { config: { materialized: 'view' } }),
    );
    expect(view).toMatchObject({ grade: 'safe', relations: [{ reasons: ['materialization_changed'] }] });
    const template = (filter: string) => (nodes: Parameters<NonNullable<Parameters<typeof shopManifest>[0]>>[0]) =>
      Object.assign(nodes['model.shop.orders'] ?? {}, {
        raw_code: `select 1 {# why #} {% if is_incremental() %} where ${filter} {% endif %}`,
      });
    const incremental = await diff(template('at > 1'));
    expect(relationOf(incremental, 'orders')?.model?.not_compared).toBe('incremental_part_of_template_changed');
    const unread = await diff((nodes) => inSql(nodes, 'stg_orders', 'select', 'selec from'));
    expect(relationOf(unread, 'stg_orders')).toMatchObject({
      grade: 'risky',
      reasons: expect.arrayContaining(['statement_not_compared']),
      model: { not_compared: 'statement_cannot_be_parsed' },
    });
  });

  it('takes a model for the same whether it was compiled for an incremental run or for a full refresh (C-DIFF-6)', async () => {
    const compiledFor =
      (run: 'full' | 'incremental', bound = 'max'): Parameters<typeof shopManifest>[0] =>
      (nodes) => {
        const [node, reads] = [nodes['model.shop.stg_orders'], 'where amount > 0'];
        const part = (name: string) => ` and amount > (select ${bound}(amount) from ${name})`;
        const { compiled_code = '' } = node ?? {};
        if (!compiled_code.includes(reads)) throw new Error('stg_orders has no such filter');
        const template = `${reads}{% if is_incremental() %}${part('{{ this }}')}{% endif %}`;
        Object.assign(node ?? {}, {
          raw_code: compiled_code.replace(reads, template),
          compiled_code:
            run === 'full' ? compiled_code : compiled_code.replace(reads, `${reads}${part(core('stg_orders'))}`),
        });
      };
    await place.declare('/v1/lineage/dbt/manifest', {
      manifest: shopManifest(compiledFor('incremental')),
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: randomUUID(),
    });
    const same = await diff(compiledFor('full'));
    expect(same).toMatchObject({ grade: 'safe', summary: { grades: { risky: 0, breaking: 0 } } });
    const other = await diff(compiledFor('full', 'min'));
    expect(relationOf(other, 'stg_orders')).toMatchObject({ grade: 'risky' });
  });

  it('grades a relation no better than its columns, with their downstream impact (C-DIFF-9)', async () => {
    await take();
    const answer = await diff((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''));
    expect(columnOf(answer, core('orders'), 'gross')?.grade).toBe('breaking');
    expect(relationOf(answer, 'orders')).toMatchObject({ reasons: ['columns_changed'], grade: 'breaking' });
    expect(impacted(relationOf(answer, 'orders'))).toContainEqual([core('customers'), 'breaking']);
  });

  it('is not evaluated against another project or an uncompiled manifest, and says which (C-DIFF-8)', async () => {
    await take();
    const named = (await post({ manifest: shopManifest(), project_id: 'crn' })).json;
    expect(named).toMatchObject({
      grade: 'not_evaluated',
      not_evaluated: { reason: 'no_base', linked_projects: ['crm'], message: expect.stringContaining('crn') },
    });
    const parsed = await diff((nodes) => {
      for (const node of Object.values(nodes)) delete node.compiled_code;
    });
    expect(parsed.not_evaluated).toEqual({
      reason: 'not_compiled',
      message: 'The manifest is not compiled. Run `dbt compile` and try again.',
      linked_projects: [],
    });
    expect([parsed.relations, parsed.columns, parsed.edges]).toEqual([[], [], []]);
    const empty = await diff((nodes, manifest) => {
      for (const id of Object.keys(nodes)) delete nodes[id];
      Reflect.set(manifest, 'exposures', {});
    });
    expect(empty.not_evaluated?.reason).toBe('no_models');
  });
});

describe('what is requested', () => {
  it('may be gzip, by anyone who may read', async () => {
    await take();
    const body = {
      workspace_id: place.workspace,
      connector_id: place.connector.id,
      project_id: 'crm',
      manifest: shopManifest(),
    };
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { status, json } = await post({}, { body: gzipSync(JSON.stringify(body)), headers });
    expect([status, json.grade]).toEqual([200, 'safe']);
    const padded = JSON.stringify({ ...body, manifest: { ...body.manifest, docs: 'x'.repeat(limits.inlineBytes) } });
    expect((await post({}, { body: gzipSync(padded), headers })).status).toBe(200);
    expect(
      (await post({}, { body: Buffer.from(padded), headers: { 'content-type': 'application/json' } })).status,
    ).toBe(413);
    expect((await post({ manifest: shopManifest() }, { token: await world.issuer.sign('nobody') })).status).toBe(403);
  });

  it('is not evaluated if nothing was ever pushed, and stores nothing (C-DIFF-2, C-DIFF-8)', async () => {
    const first = await diff(undefined);
    expect(first).toMatchObject({
      from: { found: false },
      grade: 'not_evaluated',
      not_evaluated: { reason: 'no_base', linked_projects: [] },
      relations: [],
      edges: [],
    });
    const { json } = await place.ask('/v1/lineage/impact', { relation_ref: core('orders') });
    expect(json.graph_found).toBe(false);
  });

  it('is refused if the document is not a complete project', async () => {
    expect((await post({})).json.detail).toMatchObject({ code: 'validation_error' });
    expect((await post({ manifest: shopManifest(), project: {} })).json.detail.code).toBe('validation_error');
    expect((await post({ manifest: { nodes: [] } })).json.detail.errors[0].path).toBe('/manifest/nodes');
    const torn = await post({ manifest: { nodes: { 'model.shop.x': { resource_type: 'model' } } } });
    expect([torn.status, torn.json.detail.code]).toEqual([422, 'lineage_snapshot_invalid']);
    expect((await post({ manifest: shopManifest(), connector_id: 'nope' })).status).toBe(404);
  });
});
