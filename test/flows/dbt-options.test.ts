import { expect, it } from 'vitest';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);

const model = (name: string, sql: string | null, nodes: readonly string[], more: object = {}) => ({
  [`model.crm.${name}`]: {
    ...{
      resource_type: 'model',
      name,
      database: 'crm',
      schema: 'core',
      alias: name,
      original_file_path: `${name}.sql`,
    },
    ...{ relation_name: `"crm"."core"."${name}"`, compiled_code: sql, depends_on: { nodes }, ...more },
  },
});
const source = (name: string, columns: object = {}) => ({
  [`source.crm.raw.${name}`]: {
    ...{ resource_type: 'source', database: 'crm', schema: 'raw', identifier: name, name, columns },
  },
});
const columns = { id: { name: 'id' }, amount: { name: 'amount' } };
const orders = model('orders', 'select id, amount from "crm"."raw"."orders"', ['source.crm.raw.orders']);

let pushes = 0;
async function push(place: LineagePlace, document: object, project_id = 'crm') {
  const manifest = {
    metadata: { adapter_type: 'postgres', project_name: project_id },
    sources: source('orders', columns),
    ...document,
  };
  const sent = { manifest, project_id, completeness: 'complete', source_event_key: `push-${pushes++}` };
  return place.receipt((await place.declare('/v1/lineage/dbt/manifest', sent)).json.delivery_id);
}

/** The mappings of the edges into a relation. */
async function mappingsInto(place: LineagePlace, relation_ref: string) {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref, direction: 'upstream', max_depth: '1' });
  return json.edges.flatMap((edge: { upstream: string; columns: { upstream: string; downstream: string }[] }) =>
    edge.columns.map((one) => `${edge.upstream}.${one.upstream} > ${one.downstream}`),
  );
}

it('takes a read of the deferred relation for the ref that it replaces (C-DBT-10)', async () => {
  const place = await world.place();
  const deferred = { database: 'prod', schema: 'main', alias: 'orders', relation_name: '"prod"."main"."orders"' };
  const sql = 'select id from "prod"."main"."orders"';
  const nodes = {
    ...model('orders', 'select id from "crm"."raw"."orders"', ['source.crm.raw.orders'], { defer_relation: deferred }),
    ...model('late', sql, ['model.crm.orders']),
  };
  expect((await push(place, { nodes })).unresolved).toEqual([]);
  expect(await mappingsInto(place, 'crm.core.late')).toEqual(['crm.core.orders.id > id']);
});

it('reads statements that --empty compiled as those without it (C-DBT-10)', async () => {
  const place = await world.place();
  const empty = '(select * from "crm"."core"."orders" where false limit 0) _dbt_limit_subq_orders';
  const nodes = {
    ...orders,
    ...model('plain', `select id from ${empty}`, ['model.crm.orders']),
    ...model('named', `select o.id from ${empty} as o`, ['model.crm.orders']),
    ...model('by_table', `select orders.id from ${empty}`, ['model.crm.orders']),
  };
  expect((await push(place, { nodes })).unresolved).toEqual([]);
  for (const name of ['plain', 'named', 'by_table'])
    expect([name, await mappingsInto(place, `crm.core.${name}`)]).toEqual([name, ['crm.core.orders.id > id']]);
});

it('follows columns through calls of a function of the project', async () => {
  const place = await world.place();
  const call = '"crm"."core"."is_large"(amount)';
  const nodes = {
    ...orders,
    ...model('large', `select ${call} as is_large from "crm"."core"."orders"`, [
      'model.crm.orders',
      'function.crm.is_large',
    ]),
  };
  const functions = {
    'function.crm.is_large': { resource_type: 'function', name: 'is_large', depends_on: { nodes: [] } },
  };
  expect((await push(place, { nodes, functions })).unresolved).toEqual([]);
  expect(await mappingsInto(place, 'crm.core.large')).toEqual(['crm.core.orders.amount > is_large']);
});

it('knows the columns of a model whose contract lists them, wherever the version of dbt keeps the contract', async () => {
  const place = await world.place();
  const enforced = { contract: { enforced: true } };
  const nodes = {
    ...model('in_config', 'select * from "crm"."raw"."plain"', ['source.crm.raw.plain'], {
      columns,
      config: enforced,
      group: 'g',
    }),
    ...model('of_node', 'select * from "crm"."raw"."plain"', ['source.crm.raw.plain'], {
      columns,
      ...enforced,
      group: 'g',
    }),
  };
  await push(place, { nodes, sources: source('plain'), groups: { 'group.crm.g': { name: 'g' } } });
  for (const name of ['in_config', 'of_node']) {
    const { json } = await place.ask('/v1/lineage/relation', { relation_ref: `crm.core.${name}` });
    expect([name, json.columns_complete, json.columns.length]).toEqual([name, true, 2]);
  }
});

it('takes a public model of another project for the relation that the other project makes (C-DBT-11)', async () => {
  const place = await world.place();
  await linkProject(world.operator, place.workspace, 'shop');
  // The stub of dbt mesh: a model without a file, and without code.
  const stub = model('orders', null, [], { original_file_path: '', path: '', access: 'public' });
  const consumer = {
    nodes: { ...stub, ...model('daily', 'select id from "crm"."core"."orders"', ['model.crm.orders']) },
    sources: {},
  };
  const pushed = await push(place, consumer, 'shop');
  expect([pushed.unresolved, pushed.state]).toEqual([[], 'projected']);
  await push(place, { nodes: orders });
  expect(await mappingsInto(place, 'crm.core.daily')).toEqual(['crm.core.orders.id > id']);
  expect(await mappingsInto(place, 'crm.core.orders')).toHaveLength(2);
  // A later snapshot of the consumer says nothing about how the other project makes the relation.
  await push(place, { nodes: stub, sources: {} }, 'shop');
  expect(await mappingsInto(place, 'crm.core.orders')).toHaveLength(2);
});

it('answers that nothing reads a declared source, with the columns that are documented (C-DBT-12)', async () => {
  const place = await world.place();
  await push(place, {
    nodes: orders,
    sources: { ...source('orders', columns), ...source('unread', columns), ...source('bare') },
  });
  for (const [name, known] of [
    ['unread', 2],
    ['bare', 0],
  ] as const) {
    const { status, json } = await place.ask('/v1/lineage/relation', { relation_ref: `crm.raw.${name}` });
    expect([name, status, json.columns?.length, json.downstream_count]).toEqual([name, 200, known, 0]);
    expect((await place.ask('/v1/lineage/impact', { relation_ref: `crm.raw.${name}` })).json.claim.kind).toBe(
      'nothing_known_breaks',
    );
  }
});
