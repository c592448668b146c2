import { describe, expect, it } from 'vitest';
import { refOf, relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import { connectorWith } from '../identity/connectors.ts';
import { declare, scopeOf } from './declare.ts';

const scope = scopeOf(connectorWith({ default_database: 'shop', default_schema: 'core' }));
const sourceId = 'source.shop.raw.orders';
const model = (fields: object) => ({
  ...{ resource_type: 'model', database: 'shop', schema: 'core', alias: 'orders', name: 'orders' },
  ...{ depends_on: { nodes: [sourceId] }, ...fields },
});
const declared = (fields: object, operation: object = {}) =>
  declare(scope, {
    kind: 'dbt_manifest',
    manifest: {
      metadata: { adapter_type: 'postgres' },
      nodes: {
        'model.shop.orders': model(fields),
        'operation.shop.end': { resource_type: 'operation', name: 'end', ...operation },
      },
      sources: { [sourceId]: { database: 'shop', schema: 'raw', identifier: 'orders', name: 'orders' } },
    },
  });

describe('code that is no statement (C-DECLARED-19)', () => {
  it.each([
    ["unload ('select id from {{ this }}') to 's3://orders/'", ['shop.core.orders']],
    ['insert into audit.log select id from {{- this -}}', ['shop.core.orders']],
    ['delete from {{ this }} where id in (select id from "shop"."raw"."deleted")', ['shop.raw.deleted']],
    ['merge into {{ this }} t using x on extract(day from t.at) is distinct from t.day', []],
    ['grant select on {{ this }} to reporter -- as it was from shop.raw.grants', []],
  ])('of a hook reads what it names: %s', async (sql, expected) => {
    const code = 'select id from shop.raw.orders';
    for (const hook of [{ sql, transaction: true }, sql]) {
      const { reads = [] } = await declared({ compiled_code: code, config: { 'post-hook': [hook] } });
      expect(reads.map(refOf)).toEqual(expected);
    }
  });

  it('of an operation reads what it names', async () => {
    const { reads = [] } = await declared({}, { raw_code: 'copy into @stage from shop.core.daily' });
    expect(reads.map(refOf)).toEqual(['shop.core.daily']);
  });

  it.each([
    [
      'python',
      'from snowflake.snowpark import x\ndef model(dbt, s):\n  return s.table("raw.users")',
      ['shop.raw.users'],
    ],
    ['python', "def model(dbt, s):\n  # from raw.old\n  return s.sql('select 1 from raw.users')", ['shop.raw.users']],
    ['sql', "select id from {{ source('raw', 'orders') }} join raw.users using (id)", ['shop.raw.users']],
    ['sql', 'select id from shop.raw.orders', []],
  ])('of a model without a statement reads what it names: %s %s', async (language, raw_code, expected) => {
    const { derivations } = await declared({ language, raw_code });
    const undeclared = derivations.filter(({ output }) => relationRefOf(output).startsWith('undeclared read by'));
    expect(undeclared.flatMap(({ inputs }) => inputs.map(relationRefOf))).toEqual(expected);
  });
});
