import { beforeAll, describe, expect, it } from 'vitest';
import { exportLines } from '../../shared/domain/lineage/queries/export/export-page.ts';
import { openGraphWithPast } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

type Step = (place: LineagePlace) => Promise<unknown>;

const facet = (name: string) => ({
  _producer: 'https://example.com/test',
  _schemaURL: `https://openlineage.io/spec/facets/1-1-1/${name}.json#/$defs/${name}`,
});

/** A DatasetEvent that lists the columns of a relation. */
const schemaOf =
  (name: string, columns: Readonly<Record<string, string>>, at: string): Step =>
  (place) =>
    place.emit({
      eventTime: at,
      producer: 'https://example.com/test',
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent',
      dataset: {
        namespace: place.namespace,
        name,
        facets: {
          schema: {
            ...facet('SchemaDatasetFacet'),
            fields: Object.entries(columns).map(([one, type]) => ({ name: one, type })),
          },
        },
      },
    });

const model = (name: string, sql: string, nodes: readonly string[]) => ({
  [`model.crm.${name}`]: {
    resource_type: 'model',
    database: 'crm',
    schema: 'core',
    alias: name,
    compiled_code: sql,
    depends_on: { nodes },
  },
});
const source = (name: string) => ({
  [`source.crm.raw.${name}`]: { resource_type: 'source', database: 'crm', schema: 'raw', identifier: name },
});

const documentedOrders = { ...source('orders')['source.crm.raw.orders'], columns: { id: { name: 'id' } } };

const project = {
  metadata: { adapter_type: 'postgres' },
  sources: { ...source('orders'), ...source('payments') },
  nodes: {
    ...model('staged', 'select *, 1 as loaded from crm.raw.orders', ['source.crm.raw.orders']),
    ...model('daily', 'select * from crm.core.staged', ['model.crm.staged']),
    ...model(
      'paid',
      'select note, p.amount from crm.core.daily d join crm.raw.payments p on d.id = p.order_id where state = 1',
      ['model.crm.daily', 'source.crm.raw.payments'],
    ),
  },
};
const manifest: Step = (place) => place.declare('/v1/lineage/dbt/manifest', { manifest: project });

const orders = schemaOf('crm.raw.orders', { id: 'INT', state: 'INT' }, '2026-11-01T00:00:00Z');
const payments = schemaOf(
  'crm.raw.payments',
  { order_id: 'INT', amount: 'NUMERIC', note: 'TEXT' },
  '2026-11-01T00:00:00Z',
);
const newOrders = schemaOf('crm.raw.orders', { id: 'INT', status: 'TEXT' }, '2026-11-02T00:00:00Z');

async function impact(place: LineagePlace, column: string, more: Readonly<Record<string, string>> = {}) {
  const query = { relation_ref: 'crm.raw.orders', column_ref: column, direction: 'downstream', ...more };
  const { status, json } = await place.ask('/v1/lineage/impact', query);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

const reached = (answer: { downstream: { relation_ref: string; columns: string[] }[] }) =>
  answer.downstream.map(({ relation_ref, columns }) => `${relation_ref}: ${columns.join()}`);

const inEveryOrder = <T>(items: readonly T[]): T[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((first, i) => inEveryOrder(items.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));

const relation = async (place: LineagePlace, ref: string, more: Readonly<Record<string, string>> = {}) =>
  (await place.ask('/v1/lineage/relation', { relation_ref: ref, ...more })).json;

async function exported(place: LineagePlace): Promise<string[]> {
  const reading = await openGraphWithPast(queriesPorts(), place.workspace, new Date());
  const lines: string[] = [];
  const request = { workspace: place.workspace, connectorId: null, profile: 'job', asOf: reading.context.now } as const;
  for await (const line of exportLines(reading, request)) lines.push(line);
  return lines;
}

describe('what a statement passes on of a relation whose columns it does not tell', () => {
  it('is open until somebody tells them, and is then known without the statement (C-COLUMNS-4, C-COLUMNS-6)', async () => {
    const place = await world.place();
    await manifest(place);
    const open = await impact(place, 'state');
    expect(open.precision).toMatchObject({ delivered: 'table' });
    await orders(place);
    await payments(place);
    const known = await impact(place, 'state');
    expect(known.precision).toEqual({ requested: 'column', delivered: 'column', reasons: [] });
    expect(reached(known)).toEqual(['crm.core.staged: state', 'crm.core.daily: state', 'crm.core.paid: amount,note']);
  });

  it('does not depend on the order of statement and schemas (C-COLUMNS-6)', async () => {
    const answers = [];
    for (const steps of inEveryOrder([manifest, orders, newOrders])) {
      const place = await world.place();
      for (const step of [...steps, payments]) await step(place);
      const { downstream, edges, precision, column_lineage } = await impact(place, 'status');
      const columns = edges.map(({ columns }: { columns: unknown }) => columns);
      const { columns: listed } = await relation(place, 'crm.core.daily');
      const answer = JSON.stringify({ downstream, columns, precision, column_lineage, listed });
      // Each order has its own connector.
      answers.push(answer.replaceAll(/"connector_id":"[^"]*"/g, '"connector_id":""'));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"column":"status"');
  });
});

describe('the columns of a relation', () => {
  it('are listed with their types and who says so, as they were at any time (C-COLUMNS-7, C-RELATION-3)', async () => {
    const place = await world.place();
    await orders(place);
    await manifest(place);
    const between = new Date().toISOString();
    await newOrders(place);
    const now = await relation(place, 'crm.raw.orders');
    expect(now.columns.filter(({ type }: { type: string | null }) => type !== null)).toEqual([
      { name: 'id', type: 'INT', described_by: ['openlineage'] },
      { name: 'status', type: 'TEXT', described_by: ['openlineage'] },
    ]);
    expect(now.columns_complete).toBe(true);
    expect((await relation(place, 'crm.core.daily')).columns).toEqual([
      { name: 'id', type: 'INT', described_by: ['dbt_manifest'] },
      { name: 'loaded', type: null, described_by: ['dbt_manifest'] },
      { name: 'status', type: 'TEXT', described_by: ['dbt_manifest'] },
    ]);
    const then = await relation(place, 'crm.core.daily', { as_of: between });
    expect(then.columns.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['id', 'loaded']));
  });

  it('are a whole list by the catalog beside a manifest, and a part by documentation (C-COLUMNS-2, C-DBT-6)', async () => {
    const place = await world.place();
    const documented = { ...project, sources: { 'source.crm.raw.orders': documentedOrders, ...source('payments') } };
    await place.declare('/v1/lineage/dbt/manifest', { manifest: documented });
    expect(await relation(place, 'crm.raw.orders')).toMatchObject({
      columns: [{ name: 'id' }],
      columns_complete: false,
    });
    const catalog = { sources: { 'source.crm.raw.orders': { columns: { id: { name: 'id', type: 'INT' } } } } };
    await place.declare('/v1/lineage/dbt/manifest', { manifest: documented, catalog });
    expect(await relation(place, 'crm.raw.orders')).toMatchObject({
      columns: [{ name: 'id', type: 'INT', described_by: ['dbt_manifest'] }],
      columns_complete: true,
    });
  });

  it('come from runs too, and go with a complete snapshot that no longer states them', async () => {
    const place = await world.place();
    const event = runEvent(place.namespace, ['crm.raw.orders'], ['crm.core.copy']);
    const fields = [{ name: 'id', type: 'INT' }];
    const [input] = event.inputs;
    await place.emit({
      ...event,
      inputs: [{ ...input, facets: { schema: { ...facet('SchemaDatasetFacet'), fields } } }],
    });
    expect((await relation(place, 'crm.raw.orders')).columns).toEqual([
      { name: 'id', type: 'INT', described_by: ['openlineage'] },
    ]);
    const complete = (manifest: object, source_event_key: string) =>
      place.declare('/v1/lineage/dbt/manifest', {
        manifest,
        source_event_key,
        completeness: 'complete',
        project_id: 'crm',
      });
    await complete(project, 'one');
    expect((await relation(place, 'crm.core.staged')).columns.map(({ name }: { name: string }) => name)).toContain(
      'loaded',
    );
    const { 'model.crm.daily': _, 'model.crm.paid': __, ...nodes } = project.nodes as Record<string, unknown>;
    await complete({ ...project, nodes }, 'two');
    expect((await relation(place, 'crm.core.daily')).columns ?? []).toEqual([]);
  });
});

describe('statements only of partial deliveries', () => {
  it('is dated by the delivery that stated it, before and after others came (C-COLUMNS-7)', async () => {
    const place = await world.place();
    const before = new Date().toISOString();
    await manifest(place);
    const between = new Date().toISOString();
    await place.declare('/v1/lineage/dbt/manifest', { manifest: { ...project, nodes: {} } });
    const [edge] = (await impact(place, 'state')).edges;
    const { first_observed_at, last_observed_at } = await relation(place, 'crm.core.daily');
    for (const at of [edge.evidence[0].observed_at, first_observed_at, last_observed_at]) {
      expect(at >= before).toBe(true);
      expect(at <= between).toBe(true);
    }
  });
});

describe('a mapping', () => {
  const sql = 'select o.id as order_id, o.amount * 2 as doubled, o.note from crm.raw.orders o where o.state = 1';
  const small = {
    ...project,
    nodes: model('shown', sql, ['source.crm.raw.orders']),
  };
  let place: LineagePlace;
  beforeAll(async () => {
    place = await world.place();
    await place.declare('/v1/lineage/dbt/manifest', { manifest: small });
  });

  it('that covers every column counts for all known ones, and is left out if only values are requested (C-IMPACT-8, C-IMPACT-16)', async () => {
    const all = await impact(place, 'state');
    expect(reached(all)).toEqual(['crm.core.shown: doubled,note,order_id']);
    expect(all.edges[0].columns).toEqual([
      {
        ...{ upstream: 'state', downstream: null, type: 'INDIRECT', subtype: 'FILTER', change: null, expression: null },
        ...{ verdict: 'declared_only', verdict_reason: 'not_covered' },
      },
    ]);
    const values = await impact(place, 'state', { influence: 'direct' });
    expect([reached(values), values.precision.reasons]).toEqual([[], []]);
    expect(reached(await impact(place, 'amount', { influence: 'direct' }))).toEqual(['crm.core.shown: doubled']);
  });

  it('says what happens to the value, and shows the expression (C-COLUMNS-8)', async () => {
    const explained = await place.ask('/v1/lineage/edges/explain', {
      upstream: 'crm.raw.orders',
      downstream: 'crm.core.shown',
    });
    const statement = explained.json.evidence[0].columns.map((one: Readonly<Record<string, unknown>>) => [
      one['downstream'],
      one['change'],
      one['expression'],
    ]);
    expect(statement).toEqual([
      ['doubled', 'derived', 'o.amount * 2'],
      ['order_id', 'renamed', null],
      ['note', 'passthrough', null],
      [null, null, null],
    ]);
  });

  it('is shown without literals if the connector masks them, whenever it was stated (C-POLICY-16)', async () => {
    const before = new Date().toISOString();
    await updateConnector(world.operator, place.workspace, place.connector.id, { expression_literals: 'masked' });
    const ends = { upstream: 'crm.raw.orders', downstream: 'crm.core.shown' };
    for (const at of [{}, { as_of: before }]) {
      const { json } = await place.ask('/v1/lineage/edges/explain', { ...ends, ...at });
      expect(json.evidence[0].columns[0].expression).toBe('o.amount * ?');
      expect(json.evidence[0].sql.text).toBe(sql.replace('2', '?').replace('1', '?'));
      expect(JSON.stringify((await impact(place, 'amount', at)).edges)).toContain('"o.amount * ?"');
    }
    expect((await exported(place)).join('')).toContain('"description":"o.amount * ?"');
    await updateConnector(world.operator, place.workspace, place.connector.id, { expression_literals: 'shown' });
    expect(JSON.stringify((await impact(place, 'amount')).edges)).toContain('"o.amount * 2"');
  });
});

/** What dbt's own integration sends of a model: its statement, and no columns that it could not tell. */
const dbtRun = (name: string, from: string, sql: string): Step => {
  return (place) => {
    const sent = runEvent(place.namespace, [from], [name], { sql, at: '2026-11-01T12:00:00Z' });
    const jobType = { ...facet('JobTypeJobFacet'), processingType: 'BATCH', integration: 'DBT', jobType: 'MODEL' };
    return place.emit({ ...sent, job: { ...sent.job, facets: { ...sent.job.facets, jobType } } });
  };
};
const stagedRun = dbtRun('crm.core.staged', 'crm.raw.orders', 'select *, 1 as loaded from crm.raw.orders');
const dailyRun = dbtRun('crm.core.daily', 'crm.core.staged', 'select * from crm.core.staged');

const columnsOf = async (place: LineagePlace) =>
  Promise.all(
    ['crm.raw.orders', 'crm.core.staged', 'crm.core.daily'].map(async (ref) =>
      (await relation(place, ref)).columns.map(({ name }: { name: string }) => name).sort(),
    ),
  );

describe('a star in the statement that an event carries', () => {
  it('is settled by a list of columns, in either order (C-COLUMNS-6)', async () => {
    for (const steps of inEveryOrder([stagedRun, dailyRun, orders])) {
      const place = await world.place();
      for (const step of steps) await step(place);
      const answer = await impact(place, 'state');
      expect(answer.precision).toEqual({ requested: 'column', delivered: 'column', reasons: [] });
      expect(reached(answer)).toEqual(['crm.core.staged: state', 'crm.core.daily: state']);
      expect((await columnsOf(place))[2]).toEqual(['id', 'loaded', 'state']);
    }
  });

  it('is open after export and import too, and lists of columns go along (C-EXPORT-4)', async () => {
    const copied = async (place: LineagePlace) => {
      const copy = await world.place();
      const lines = await exported(place);
      await copy.emit(lines.map((line) => JSON.parse(line.replaceAll(place.namespace, copy.namespace))));
      return copy;
    };
    const place = await world.place();
    await stagedRun(place);
    await dailyRun(place);
    const open = await copied(place);
    expect((await impact(open, 'state')).precision).toMatchObject({ delivered: 'table' });
    await orders(place);
    await orders(open);
    const later = await copied(place);
    for (const copy of [open, later]) {
      expect(reached(await impact(copy, 'state'))).toEqual(reached(await impact(place, 'state')));
      expect((await impact(copy, 'state')).precision).toMatchObject({ delivered: 'column' });
    }
    expect(await columnsOf(later)).toEqual(await columnsOf(place));
  });
});

describe('a union by place of relations whose columns the statement does not tell', () => {
  const archive = schemaOf('crm.raw.archive', { code: 'INT', phase: 'INT' }, '2026-11-01T00:00:00Z');
  const statements = {
    'stars on both sides': 'select * from crm.raw.orders union all select * from crm.raw.archive',
    'a star and columns': 'select * from crm.raw.orders union all select code, phase from crm.raw.archive',
    'columns first': 'select id, state from crm.raw.orders union all select * from crm.raw.archive',
    'behind a CTE': 'with u as (select * from crm.raw.orders union all select * from crm.raw.archive) select * from u',
  };
  const declared = (sql: string): Step => {
    const nodes = model('united', sql, ['source.crm.raw.orders', 'source.crm.raw.archive']);
    const sources = { ...source('orders'), ...source('archive') };
    return (place) => place.declare('/v1/lineage/dbt/manifest', { manifest: { ...project, nodes, sources } });
  };
  const reader = dbtRun('crm.core.reader', 'crm.core.united', 'select * from crm.core.united');
  const run = (sql: string): Step => dbtRun('crm.core.united', 'crm.raw.orders', sql);
  const ways = Object.entries(statements).flatMap(([name, sql]) => [
    [`${name}, in a manifest`, declared(sql)] as const,
    [`${name}, in an event`, run(sql)] as const,
  ]);
  const feedsOf = async (place: LineagePlace, column: string) => {
    const query = { relation_ref: 'crm.core.united', column_ref: column, direction: 'upstream', max_depth: '1' };
    const { column_lineage: lineage, precision } = (await place.ask('/v1/lineage/impact', query)).json;
    const names = lineage.paths.map(
      ({ upstream }: { upstream: { relation_ref: string; column: string } }) =>
        `${upstream.relation_ref}.${upstream.column}`,
    );
    return { names: names.sort(), reasons: precision.reasons };
  };

  it.each(ways)('is settled by their lists, in either order: %s (C-COLUMNS-6, C-COLUMNS-12)', async (_, step) => {
    for (const steps of [
      [step, orders, archive],
      [archive, orders, step],
    ]) {
      const place = await world.place();
      for (const one of steps) await one(place);
      expect(await feedsOf(place, 'state')).toEqual({
        names: ['crm.raw.archive.phase', 'crm.raw.orders.state'],
        reasons: [],
      });
    }
  });

  it('stays open while one list is not known, and where the lists are not as long (C-COLUMNS-12)', async () => {
    const place = await world.place();
    await declared(statements['stars on both sides'])(place);
    await orders(place);
    expect((await impact(place, 'state')).precision).toMatchObject({ delivered: 'table' });
    await schemaOf('crm.raw.archive', { code: 'INT' }, '2026-11-01T00:00:00Z')(place);
    expect((await impact(place, 'state')).precision).toMatchObject({ delivered: 'table' });
  });

  it('gives the list of the first branch to its readers (C-COLUMNS-12)', async () => {
    const place = await world.place();
    for (const step of [run(statements['stars on both sides']), reader, archive, orders]) await step(place);
    expect(reached(await impact(place, 'state'))).toEqual(['crm.core.united: state', 'crm.core.reader: state']);
  });

  it('is open after export and import too (C-EXPORT-4)', async () => {
    const place = await world.place();
    await declared(statements['a star and columns'])(place);
    const copy = await world.place();
    const lines = await exported(place);
    await copy.emit(lines.map((line) => JSON.parse(line.replaceAll(place.namespace, copy.namespace))));
    for (const one of [archive, orders]) await one(copy);
    expect(await feedsOf(copy, 'state')).toMatchObject({ names: ['crm.raw.archive.phase', 'crm.raw.orders.state'] });
  });
});

describe('an INSERT without a list of columns', () => {
  const loaded = schemaOf('crm.core.loaded', { key: 'INT', phase: 'INT' }, '2026-11-01T00:00:00Z');
  const insert = (sql: string, at = '2026-11-01T12:00:00Z'): Step => {
    return (place) => place.emit(runEvent(place.namespace, ['crm.raw.orders'], ['crm.core.loaded'], { sql, at }));
  };
  const named = insert('insert into crm.core.loaded select id as order_id, state from crm.raw.orders');
  const starred = insert('insert into crm.core.loaded select * from crm.raw.orders');

  it.each([named, starred])(
    'fills the columns of its target by place, in either order %# (C-COLUMNS-14)',
    async (step) => {
      for (const steps of [
        [step, loaded, orders],
        [orders, loaded, step],
      ]) {
        const place = await world.place();
        for (const one of steps) await one(place);
        const answer = await impact(place, 'state');
        expect(answer.precision).toEqual({ requested: 'column', delivered: 'column', reasons: [] });
        expect(reached(answer)).toEqual(['crm.core.loaded: phase']);
      }
    },
  );

  it('is open while the columns of its target are not known, or are not as many (C-COLUMNS-14)', async () => {
    const place = await world.place();
    await orders(place);
    await named(place);
    expect((await impact(place, 'state')).precision).toMatchObject({ delivered: 'table' });
    expect((await relation(place, 'crm.core.loaded')).columns).toEqual([]);
    await schemaOf('crm.core.loaded', { key: 'INT' }, '2026-11-01T00:00:00Z')(place);
    expect((await impact(place, 'state')).precision).toMatchObject({ delivered: 'table' });
  });

  it('fills the columns that its own event lists (C-COLUMNS-14)', async () => {
    const place = await world.place();
    const sql = 'insert into crm.core.loaded select id as order_id, state from crm.raw.orders';
    const sent = runEvent(place.namespace, ['crm.raw.orders'], ['crm.core.loaded'], { sql });
    const schema = { ...facet('SchemaDatasetFacet'), fields: [{ name: 'key' }, { name: 'phase' }] };
    await place.emit({ ...sent, outputs: sent.outputs.map((output) => ({ ...output, facets: { schema } })) });
    expect(reached(await impact(place, 'id'))).toEqual(['crm.core.loaded: key']);
  });
});
