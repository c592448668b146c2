import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { datahub, dbt, sqlmesh } from '../../../shared/domain/lineage/ingest/tools.ts';
import { type Connector, connectorDefaults } from '../../../shared/domain/lineage/names/connector.ts';

const connector: Connector = {
  ...connectorDefaults,
  id: 'c' as ConnectorId,
  workspace_id: 'w' as WorkspaceId,
  kind: 'postgres',
  name: 'warehouse',
  namespaces: [],
  datahub_platform_instances: [],
};
const place = { connector, connectors: [connector] };
const head = { workspace_id: 'w', connector_id: 'c', completeness: 'partial' as const };
const project = (environment: string, extra: object = {}) => ({
  schema: 'service.sqlmesh-project@v1',
  environment,
  models: [],
  external_models: [],
  ...extra,
});
const sqlmeshScope = (project_id: string, environment: string) =>
  sqlmesh.scopeOf({ ...head, project: project(environment), project_id }).name;

describe('scopes', () => {
  it('are named as C-DECLARED-3 says, and `default` if a partial delivery names none', () => {
    expect(datahub.scopeOf({ ...head, export: [], import_source: 'hub' })).toMatchObject({
      name: 'datahub-source:hub',
      given: true,
    });
    expect(datahub.scopeOf({ ...head, export: [] })).toMatchObject({ name: 'datahub-source:default', given: false });
    expect(dbt.scopeOf({ ...head, manifest: {}, project_id: 'p' }).name).toBe('dbt-project:p');
    expect(dbt.scopeOf({ ...head, manifest: {} })).toMatchObject({ name: 'dbt-project:default', given: false });
    expect(sqlmeshScope('p', 'prod')).toBe('sqlmesh-project:p:prod');
  });

  it('differ for two projects and for two environments', () => {
    const name = fc.string({ unit: fc.constantFrom('a', ':', '%', '3', 'A'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(name, name, name, name, (p, e, q, f) => {
        expect(sqlmeshScope(p, e) === sqlmeshScope(q, f)).toBe(p === q && e === f);
      }),
    );
  });
});

describe('counts at acceptance', () => {
  it('count the entries, the edges and the names without a relation of a catalog (C-DATAHUB-1)', () => {
    const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,d.s.${name},PROD)`;
    const entries = [
      { upstreamUrn: urn('a'), downstreamUrn: urn('b') },
      { upstreamUrn: 'urn:li:dashboard:(looker,x)', downstreamUrn: urn('b') },
    ];
    for (const document of [entries, { edges: entries }, { lineage: entries }]) {
      expect(datahub.read({ ...head, export: document }, place)).toMatchObject({
        itemCount: 2,
        invalidItems: [],
        shapeErrors: [],
        counts: { edges_received: 2, unresolved: 1, observations: 1 },
      });
    }
  });

  it('count the models, the dependencies and the unreadable parts of a project', () => {
    const model = {
      fqn: '"d"."s"."m"',
      kind: 'FULL',
      language: 'sql',
      depends_on: ['"d"."s"."raw"'],
      rendered_sql: '',
    };
    const body = { ...head, project: project('prod', { models: [model, { fqn: 5 }] }) };
    expect(sqlmesh.fieldErrors(body)).toEqual([]);
    const read = sqlmesh.read(body, place);
    expect(read).toMatchObject({ itemCount: 2, invalidItems: [{ index: 1 }], counts: { models: 1, dependencies: 1 } });
    expect(read.shapeErrors.length).toBeGreaterThan(0);
    const other = { ...head, project: project('prod', { schema: 'service.sqlmesh-project@v2' }) };
    expect(sqlmesh.fieldErrors(other)).toMatchObject([{ path: '/project/schema' }]);
  });
});
