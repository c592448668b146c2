import { describe, expect, it } from 'vitest';
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, valueEdges } from './declare.ts';

const node = (compiled_code: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  resource_type: 'model',
  database: 'db',
  schema: 'main',
  name: 'a',
  alias: 'a',
  depends_on: { nodes: ['source.p.raw.people'] },
  compiled_code,
  ...fields,
});

const declared = (adapter: 'duckdb' | 'spark', rendered: string, nodes: Readonly<Record<string, unknown>>) =>
  declare(scopeOf(connectorWith({ kind: adapter })), {
    kind: 'dbt_manifest',
    manifest: {
      metadata: { adapter_type: adapter },
      nodes,
      sources: {
        'source.p.raw.people': {
          database: 'db',
          schema: 'raw',
          name: 'people',
          identifier: 'people',
          relation_name: rendered,
        },
      },
    },
  });

describe('what dbt writes into statements for a source', () => {
  it.each(["'../data/people.parquet'", "read_csv('people.csv', header = true)"])(
    'is the source, though it is no name: %s',
    async (rendered) => {
      const nodes = { 'model.p.a': node(`select p.id, upper(name) as name from ${rendered} as p`) };
      const result = await declared('duckdb', rendered, nodes);
      expect(valueEdges(result, 'db.main.a')).toEqual(['db.raw.people.id -> id', 'db.raw.people.name -> name']);
      expect(derivationOf(result, 'db.main.a').unresolved).toEqual([]);
    },
  );

  it('is the source in an ephemeral model too, whose text its users hold', async () => {
    const rendered = "read_csv('$& people.csv')";
    const inlined = `select id from ${rendered}`;
    const nodes = {
      'model.p.e': node(inlined, { name: 'e', alias: 'e', config: { materialized: 'ephemeral' } }),
      'model.p.a': node(`with __dbt__cte__e as (${inlined}) select id as key from __dbt__cte__e`, {
        depends_on: { nodes: ['model.p.e'] },
      }),
    };
    expect(valueEdges(await declared('duckdb', rendered, nodes), 'db.main.a')).toEqual(['db.raw.people.id -> key']);
  });

  it('names it also if its database and schema are others', async () => {
    const nodes = { 'model.p.a': node('select id from `elsewhere`.`people_v2`') };
    const result = await declared('spark', '`elsewhere`.`people_v2`', nodes);
    const { columns, inputs } = derivationOf(result, 'db.main.a');
    expect(columns.map(({ inputColumn, outputColumn }) => [inputColumn, outputColumn])).toEqual([['id', 'id']]);
    expect(inputs).toHaveLength(1);
  });

  it('does not make a table of an expression that represents none of the sources', async () => {
    const nodes = { 'model.p.a': node("select id from read_csv('others.csv')") };
    const result = await declared('duckdb', "read_csv('people.csv')", nodes);
    expect(derivationOf(result, 'db.main.a').unresolved).toEqual([
      { outputColumn: 'id', reason: 'the columns of the table function read_csv are not known' },
    ]);
  });
});
