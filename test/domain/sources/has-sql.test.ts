import { expect, it } from 'vitest';
import { type DeclaredDocument, readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import { connectorWith } from '../identity/connectors.ts';
import { scopeOf } from './declare.ts';

const scope = scopeOf(connectorWith({ id: 'own' }));
const manifest = (compiled_code: string | null) => {
  const model = { resource_type: 'model', database: 'crm', schema: 'core', name: 'a', depends_on: { nodes: [] } };
  const nodes = { 'model.m.a': { ...model, ...(compiled_code !== null && { compiled_code }) } };
  return { metadata: { adapter_type: 'postgres' }, nodes, sources: {} };
};

it.each<[string, boolean, DeclaredDocument]>([
  ['a manifest with a statement', true, { kind: 'dbt_manifest', manifest: manifest('select 1 as a') }],
  ['a manifest without statements', false, { kind: 'dbt_manifest', manifest: manifest(null) }],
  ['a catalog', false, { kind: 'datahub_catalog', export: [] }],
  ['shapes of events', false, { kind: 'collection', shapes: {} }],
])('says of %s whether a parser has to be loaded: %s', (_, hasSql, document) => {
  expect(readDeclared(scope, document).hasSql).toBe(hasSql);
});
