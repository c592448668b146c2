import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import { readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { connectorWith } from '../identity/connectors.ts';
import { scopeOf, valueEdges } from './declare.ts';

const model = (name: string, compiled_code: string, reads: readonly string[] = []) => [
  `model.m.${name}`,
  {
    ...{ resource_type: 'model', database: 'crm', schema: 'core', name, compiled_code },
    depends_on: { nodes: reads.map((one) => `model.m.${one}`) },
  },
];

it('resolves a column that a relation had before, beside those that it has', async () => {
  const parser = await loadSqlParser();
  const nodes = Object.fromEntries([
    model('a', 'select id from crm.raw.x'),
    model('b', 'select old, id from crm.core.a', ['a']),
  ]);
  const manifest = { metadata: { adapter_type: 'postgres' }, nodes, sources: {} };
  const declared = readDeclared(scopeOf(connectorWith({ id: 'own' })), { kind: 'dbt_manifest', manifest }).derive({
    analyse: (statement, options) => analyseSql(parser, statement, options),
    formerColumns: (node) => (relationRefOf(node) === 'crm.core.a' ? ['ID', 'Old'] : []),
  });
  expect(valueEdges(declared, 'crm.core.b')).toEqual(['crm.core.a.old -> old', 'crm.core.a.id -> id']);
});
