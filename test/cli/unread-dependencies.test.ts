import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson } from '../support/command-line.ts';
import { shopManifest } from '../support/shop-project.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'unread-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fqn = (name: string) => `"wh"."core"."${name}"`;
const model = (name: string, dependsOn: readonly string[], sql: string, kind = 'FULL') => ({
  ...{ fqn: fqn(name), kind, language: 'sql', depends_on: dependsOn.map(fqn) },
  rendered_sql: sql.replaceAll(/@(\w+)/g, (_, read: string) => fqn(read)),
});
const project = {
  ...{ schema: 'service.sqlmesh-project@v1', environment: 'prod', dialect: 'duckdb', project: { name: 'shop' } },
  external_models: ['orders', 'rates', 'regions'].map((name) => ({ fqn: fqn(name), columns: { id: 'INT', a: 'INT' } })),
  models: [
    model('hooked', ['orders', 'rates'], 'select id, a from @orders'),
    model('inner', ['orders', 'regions'], 'select id, a from @orders', 'EMBEDDED'),
    model('outer', ['inner', 'rates'], 'select i.a from @inner i join @rates r on r.id = i.id'),
    model('crossed', ['orders', 'rates'], 'select o.a from @orders o cross join @rates r'),
  ],
};

/** The claim about a column, and the relations that it reaches with the reason for those without columns. */
async function impactOf(relation: string, column: string, files: readonly string[]) {
  const impact = ['impact', relation, '--column', column, '--direction', 'downstream', ...files];
  const { claim, downstream, precision } = await commandJson(impact, { folder });
  const reasons = new Map<string, string>(
    precision.reasons.map((one: { relation_ref: string; reason: string }) => [one.relation_ref, one.reason]),
  );
  const reached = downstream.map((one: { relation_ref: string }) => [
    one.relation_ref,
    reasons.get(one.relation_ref) ?? 'columns',
  ]);
  return [claim.kind, Object.fromEntries(reached)];
}

describe('a relation that a model depends on and its statement does not read (C-DECLARED-20)', () => {
  it.each([
    ['rates', 'a', 'may_break', { 'wh.core.hooked': 'dependency_not_in_statement' }],
    ['rates', 'id', 'breaks', { 'wh.core.hooked': 'dependency_not_in_statement', 'wh.core.outer': 'columns' }],
    ['regions', 'a', 'may_break', { 'wh.core.outer': 'dependency_not_in_statement' }],
    [
      'orders',
      'a',
      'breaks',
      { 'wh.core.crossed': 'columns', 'wh.core.hooked': 'columns', 'wh.core.outer': 'columns' },
    ],
  ])('may break it by any column of a SQLMesh project: %s.%s %s', async (relation, column, claim, reached) => {
    const file = path.join(folder, 'project.json');
    writeFileSync(file, JSON.stringify(project));
    expect(await impactOf(`wh.core.${relation}`, column, ['--sqlmesh', file])).toEqual([claim, reached]);
  });

  it('may break it by any column of a dbt project', async () => {
    const manifest = shopManifest((nodes) => {
      nodes['model.shop.stg_orders']?.depends_on.nodes?.push('seed.shop.rates');
    });
    const file = path.join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify(manifest));
    const [claim, reached] = await impactOf('crm.core.rates', 'rate', ['--manifest', file]);
    expect(claim).toBe('breaks');
    expect(reached).toMatchObject({ 'crm.core.stg_orders': 'dependency_not_in_statement' });
  });
});
