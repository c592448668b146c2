import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import { readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { connectorWith } from '../identity/connectors.ts';
import { scopeOf } from './declare.ts';

const scope = scopeOf(connectorWith({ default_database: 'crm', default_schema: 'core' }));
const parser = await loadSqlParser();
const node = (name: string, compiled_code: string, reads: readonly string[]) => ({
  ...{ resource_type: 'model', database: 'crm', schema: 'core', name, compiled_code },
  depends_on: { nodes: reads.map((one) => `model.shop.${one}`) },
});

/** How many statements are parsed, and the edges, of one model that declares to read `base`. */
function derived(sql: string, skimsStatements: boolean) {
  let parsed = 0;
  const nodes = {
    'model.shop.base': node('base', 'select 1 as a, 2 as b', []),
    'model.shop.reader': node('reader', sql, ['base']),
  };
  const metadata = { adapter_type: 'postgres', project_name: 'shop' };
  const document = { kind: 'dbt_manifest', manifest: { metadata, nodes, sources: {} } } as const;
  const { derivations } = readDeclared(scope, document).derive({
    analyse: (text, options) => {
      parsed++;
      return analyseSql(parser, text, options);
    },
    skimsStatements,
  });
  const parsedFirst = parsed;
  return { parsedFirst, edges: derivations.map(({ output, inputs }) => [urnOf(output), inputs.map(urnOf)]) };
}

describe('a model whose statement is skimmed', () => {
  it.each([
    'select a from crm.core.base',
    'select b.a from "crm"."core"."base" as b where b.a in (select a from core.base)',
    'with x as (select a, b from crm.core.base), y as (select * from x) select y.a, x.b from x, y',
    "select a, 'from crm.other.t' as text from crm.core.base -- from crm.other.t",
    'select extract(year from base.a) as a from crm.core.base',
  ])('is not parsed before its columns are read: %s', (sql) => {
    expect(derived(sql, true).parsedFirst).toBeLessThanOrEqual(sql.includes('extract') ? 2 : 0);
    expect(derived(sql, true).edges).toEqual(derived(sql, false).edges);
  });

  it.each([
    'select a from crm.core.base union all select a from crm.other.t',
    'select a from crm.core.base b join "crm"."other"."t" t on t.a = b.a',
    'select b.a from crm.core.base b, crm.other.t t where t.a = b.a',
    'select b.a from crm.core.base b left join lateral (select 1 from other.t) l on true',
    "select a from crm.core.base where b = '--' and a in (select a from crm.other.t)",
    'select a from crm.core.base where exists (select 1 from /* x */ crm . other . t)',
    'select a from (crm.core.base b join crm.other.t t using (a))',
  ])('states what it reads without a declaration: %s', (sql) => {
    const { edges } = derived(sql, true);
    expect(edges).toEqual(derived(sql, false).edges);
    expect(JSON.stringify(edges)).toContain('other.t');
  });
});
