import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { relationRefOf } from '../../../../shared/domain/lineage/graph/node.ts';
import { branchOfFiles } from '../../../../shared/domain/lineage/queries/diff/changed-files.ts';
import { readDbtManifest } from '../../../../shared/domain/lineage/sources/dbt/manifest.ts';
import { dbtProject } from '../../../../shared/domain/lineage/sources/dbt/project.ts';
import { connectorWith } from '../../identity/connectors.ts';

const connector = connectorWith({ kind: 'duckdb', default_database: 'd', default_schema: 's' });
const parser = await loadSqlParser();

const written = "{{ config(materialized='table', tags=['x'], schema=var('place')) }}\nselect 1 as a";
const ids = ['model.p.one', 'model.p.many.v1', 'model.p.many.v2', 'model.q.one', 'model.q.two', 'model.p.changed'];
const nodeOf = (id: string) => {
  const [, project, name = '', version] = id.split('.');
  const alias = version ? `${name}_${version}` : name;
  return {
    resource_type: 'model',
    database: 'd',
    schema: project,
    name,
    alias,
    relation_name: `"d"."${project}"."${alias}"`,
    depends_on: { nodes: [] },
    config: { materialized: 'table', schema: 'p' },
    raw_code: written,
    compiled_code: 'select 1 as a',
  };
};
const { document } = readDbtManifest({
  metadata: { project_name: 'p', adapter_type: 'duckdb' },
  nodes: Object.fromEntries(ids.map((id) => [id, nodeOf(id)])),
  sources: {},
});
const project = dbtProject(connector, document, { catalog: new Map(), lineage: new Map() });

/** The model of a changed file as the branch has it, and what could not be said of the file. */
function changed(sql: string) {
  const file = { path: 'models/changed.sql', sql };
  const live = { projects: [project], unread: null };
  const { branch, files } = branchOfFiles({ parser, connector }, 'scope', live, [file]);
  const model = branch.project.models.find(({ id }) => id === 'model.p.changed');
  return { model, source: branch.project.sources[0], problem: files[0]?.problem };
}
const readsOf = (from: string) => {
  const { model, problem } = changed(`select a from ${from}`);
  return problem ?? model?.dependsOn.join();
};

describe('a file of a branch (C-DIFF-11)', () => {
  it.each([
    ["{{ ref('two') }}", 'model.q.two'],
    ['{{- ref( "q" , "one" ) -}}', 'model.q.one'],
    ["{{ ref('p', 'one') }}", 'model.p.one'],
    ["{{ ref('many', v=2) }}", 'model.p.many.v2'],
    ["{{ ref('p', 'many', version='1') }}", 'model.p.many.v1'],
    ["{{ ref('one') }}", 'template'],
    ["{{ ref('many') }}", 'template'],
    ["{{ ref('many', v=3) }}", 'template'],
    ["{{ ref('many', v=var('v')) }}", 'template'],
    ["{{ ref('two') if target.name == 'prod' else ref('p', 'one') }}", 'template'],
    ["{{ ref('t' ~ 'wo') }}", 'template'],
    ["{{ ref('two').render() }}", 'template'],
    ["{{ ref('two', ) }}", 'model.q.two'],
    ['{{ ref(name) }}', 'template'],
    ["{{ source('q', 'two', 'x') }}", 'template'],
  ])('reads the whole of an expression: %s', (from, reads) => {
    expect(readsOf(from)).toBe(reads);
  });

  it('costs with all other files of a request as much as a document, and no more', () => {
    // Each level doubles the columns.
    const level = (n: number) => `c${n} as (select *, * from c${n - 1})`;
    const levels = Array.from({ length: 12 }, (_, n) => level(n + 1)).join(', ');
    const sql = `with c0 as (select 1 as a), ${levels} select count(*) as n from c12`;
    const understood = (count: number): number => {
      const files = Array.from({ length: count }, () => ({ path: 'models/changed.sql', sql }));
      const live = { projects: [project], unread: null };
      return branchOfFiles({ parser, connector }, 'scope', live, files).files.filter(({ problem }) => problem === null)
        .length;
    };
    expect(understood(1)).toBe(1);
    expect(understood(200)).toBeLessThan(200);
  });

  it('is another relation if its configuration renames it', () => {
    const { model } = changed(written.replace("tags=['x']", "alias='other'"));
    expect(model?.node && relationRefOf(model.node)).toBe('d.p.other');
    expect(changed(written).model?.node).toEqual(project.models.find(({ id }) => id === 'model.p.changed')?.node);
  });

  it('makes no relation if its configuration disables it', () => {
    const { model, source, problem } = changed(written.replace("tags=['x']", 'enabled=false'));
    expect([model, problem]).toEqual([undefined, null]);
    expect(source?.id).toBe('model.p.changed');
  });

  it('is built otherwise if its configuration says so', () => {
    const settings = (to: string) => changed(written.replace("materialized='table'", to)).model?.settings;
    expect(settings("materialized='view'")).toMatchObject({
      materialized: 'view',
      values: { materialized: '"rebuilt"' },
    });
    expect(settings("materialized='incremental', unique_key=['a', 'b']")?.values).toMatchObject({
      materialized: '"incremental"',
      unique_key: '["a","b"]',
    });
    expect(changed(written.replace("materialized='table'", "materialized='ephemeral'")).model?.node).toBeNull();
  });

  it.each([
    ["tags=['x']", 'tags=var(1)', null],
    ["schema=var('place')", "schema=var('other')", 'template'],
    ["tags=['x']", 'enabled=target.name', 'template'],
    ["tags=['x']", '**settings', 'template'],
  ])('is not compared if a setting that decides something is not known: %s as %s', (from, to, problem) => {
    expect(changed(written.replace(from, to)).problem).toBe(problem);
  });
});
