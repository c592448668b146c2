import { describe, expect, it } from 'vitest';
import { readDeclaredBody } from '../../../shared/domain/lineage/sources/read-body.ts';
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, valueEdges } from './declare.ts';

const scope = scopeOf(connectorWith({ default_database: 'shop', default_schema: 'core' }));
const sourceId = 'source.shop.raw.orders';

const model = (name: string, compiled_code: string, nodes: readonly string[], more: object = {}) => ({
  resource_type: 'model',
  database: 'shop',
  schema: 'core',
  alias: name,
  config: { materialized: 'table' },
  depends_on: { nodes, nodes_with_ref_location: [] },
  compiled_code,
  ...more,
});

const row = (parent: string, column: string, child_column_name: string | null, evolution: string) => ({
  parent_node_unique_id: parent,
  parent_column_name: column,
  child_column_name,
  evolution,
});
const columnsOf = (...names: readonly string[]) => ({
  columns: Object.fromEntries(names.map((name, index) => [name, { name, index, type: 'varchar' }])),
});

/** A manifest as dbt 2 writes it: version 12 with members of its own. */
const project = (statement: string, info_schema: object, more: object = {}) => ({
  kind: 'dbt_manifest' as const,
  manifest: {
    metadata: {
      dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json',
      dbt_version: '2.0.9',
      adapter_type: 'postgres',
    },
    nodes: {
      'model.shop.kept': model('kept', 'select id from shop.raw.orders', [sourceId], {
        config: { materialized: 'ephemeral' },
      }),
      'model.shop.orders': model('orders', statement, ['model.shop.kept', sourceId]),
      'operation.shop.hook': { resource_type: 'operation', name: 'hook' },
    },
    sources: {
      [sourceId]: { database: 'shop', schema: 'raw', identifier: 'orders', name: 'orders', source_name: 'raw' },
    },
    functions: { 'function.shop.f': { resource_type: 'function', depends_on: { macros: [] } } },
    ...more,
  },
  info_schema: info_schema as Record<string, unknown>,
});

const lineage = (...rows: readonly object[]) => ({ column_lineage: { 'model.shop.orders': rows } });
const ofOrders = async (statement: string, info_schema: object) => {
  const declared = await declare(scope, project(statement, info_schema));
  const { columns, unresolved } = derivationOf(declared, 'shop.core.orders');
  const influences = columns.filter(({ type }) => type === 'INDIRECT');
  return {
    values: valueEdges(declared, 'shop.core.orders'),
    ways: columns.map(({ subtype }) => subtype),
    influences: influences.map(({ inputColumn, outputColumn, subtype }) => [inputColumn, outputColumn, subtype]),
    reasons: unresolved.map(({ reason }) => reason),
  };
};

describe('the column lineage that the static analysis of dbt 2 found (C-DBT-7)', () => {
  it('stands in for a statement that is not understood', async () => {
    const found = await ofOrders('select what is this from', {
      ...lineage(
        row(sourceId, 'amount', 'cents', 'mod'),
        row(sourceId, 'id', 'id', 'copy'),
        row(sourceId, 'status', null, 'scan'),
        row('source.shop.raw.unknown', 'x', 'id', 'copy'),
      ),
      node_columns: { 'model.shop.orders': columnsOf('id', 'cents', 'constant') },
    });
    expect(found).toEqual({
      values: ['shop.raw.orders.id -> id', 'shop.raw.orders.amount -> cents'],
      ways: ['IDENTITY', 'TRANSFORMATION', null],
      influences: [['status', null, null]],
      reasons: [],
    });
  });

  it('names the columns behind a star, and those of an ephemeral model by what it reads', async () => {
    const found = await ofOrders(
      'with __dbt__cte__kept as (select id from shop.raw.orders) select o.* from shop.raw.orders o',
      {
        ...lineage(row(sourceId, 'amount', 'amount', 'copy'), row('model.shop.kept', 'id', 'key', 'mod')),
        node_columns: { 'model.shop.orders': columnsOf('amount', 'key') },
      },
    );
    expect(found.values).toEqual(['shop.raw.orders.amount -> amount', 'shop.raw.orders.id -> key']);
    expect(found.reasons).toEqual([]);
  });

  it('leaves what the statement tells, and what it leaves open if the list of columns is not there', async () => {
    const statement = 'select id as key, amount * 2 as double from shop.raw.orders where amount > 1';
    const old = lineage(row(sourceId, 'status', 'key', 'copy'), row(sourceId, 'id', 'gone', 'copy'));
    expect(await ofOrders(statement, old)).toEqual(await ofOrders(statement, {}));
    const open = await ofOrders('select * from shop.raw.orders', lineage(row(sourceId, 'id', 'id', 'copy')));
    expect(open.values).toEqual(['shop.raw.orders.id -> id']);
    expect(open.reasons).toEqual(['star_over_unknown_columns']);
  });

  it.each([
    { column_lineage: [], node_columns: 'none' },
    { column_lineage: { 'model.shop.orders': [{ evolution: 1 }, 'x'] } },
    { column_lineage: { 'model.shop.orders': 3, 'model.shop.gone': [row(sourceId, 'id', 'id', 'copy')] } },
  ])('is as if it were not there in another shape: %j', async (odd) => {
    const statement = 'select * from shop.raw.orders';
    expect(await ofOrders(statement, odd)).toEqual(await ofOrders(statement, {}));
  });

  it('gives sources their columns, and is a part of the digest', async () => {
    const known = { node_columns: { [sourceId]: columnsOf('id', 'amount') } };
    const found = await ofOrders('select * from shop.raw.orders', known);
    expect(found.values).toEqual(['shop.raw.orders.id -> id', 'shop.raw.orders.amount -> amount']);
    const digest = async (info_schema: object) => {
      const { kind: _, ...body } = project('select 1', info_schema);
      const read = await readDeclaredBody('dbt_manifest', [
        Buffer.from(JSON.stringify({ workspace_id: 'w', ...body })),
      ]);
      return read.ok && read.documentDigest;
    };
    expect(await digest(known)).not.toBe(await digest({}));
  });
});
