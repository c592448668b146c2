import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson } from '../support/command-line.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { exporter, optionsOf } from './exporter.ts';

const command = 'tributary-sqlmesh-export';
let service: ServiceProcess;
let folder: string;
beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  folder = mkdtempSync(path.join(tmpdir(), 'sqlmesh-'));
  cpSync('test/fixtures/sqlmesh/shop', path.join(folder, 'shop'), { recursive: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.end('SIGTERM');
});

const tributary = (...args: string[]) =>
  commandJson([...args, '--credentials', service.file, '--workspace', 'acme', '--connector', 'duck'], { folder });

/** The relations below one, each with its columns. */
async function below(relation: string, ...columns: string[]): Promise<[string, string[]][]> {
  const options = columns.flatMap((column) => ['--column', column]);
  const { downstream } = await tributary('impact', relation, '--direction', 'downstream', ...options);
  return downstream.map((one: { relation_ref: string; columns: string[] }) => [one.relation_ref, one.columns]).sort();
}

function project(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name, file)), { recursive: true });
    writeFileSync(path.join(folder, name, file), content);
  }
  return path.join(folder, name);
}
const configuration = `gateways: { local: { connection: { type: duckdb } } }
model_defaults: { dialect: duckdb, start: 2026-01-01 }
`;

describe(`an export beside SQLMesh ${process.env['SQLMESH_VERSION']}`, () => {
  it('is only the document, with models, columns, dependencies and rendered SQL', async () => {
    const { code, output, messages } = await exporter(command, [path.join(folder, 'shop'), '--strict']);
    expect([code, messages]).toEqual([0, expect.stringContaining('9 models and 2 external models are exported')]);
    const { generated_at, models, ...head } = JSON.parse(output);
    expect(Date.parse(generated_at)).not.toBeNaN();
    expect(head).toMatchObject({
      schema: 'service.sqlmesh-project@v1',
      sqlmesh_version: process.env['SQLMESH_VERSION'],
      project: { name: 'shop' },
      environment: 'prod',
      gateway: 'local',
      dialect: 'duckdb',
    });
    const orders = models.find(({ name }: { name: string }) => name === 'stg.orders');
    expect(orders).toMatchObject({ kind: 'VIEW', language: 'sql', path: 'models/stg_orders.sql' });
    expect(orders.columns).toMatchObject({ amount_cents: 'BIGINT', order_date: 'DATE' });
    expect(orders.depends_on).toEqual(['"shop"."raw"."orders"']);
    expect(orders.rendered_sql).toMatch(/"amount" \* 100 AS BIGINT/);
    const unknown = models.find(({ name }: { name: string }) => name === 'mart.unknown_star');
    expect(unknown.columns).toBeNull();
  });

  it('is pushed, and answers what a column breaks, through macros, embedded models and Python', async () => {
    const file = path.join(folder, 'project.json');
    expect((await exporter(command, [path.join(folder, 'shop'), '--output', file])).code).toBe(0);
    const { delivery } = await tributary('push', 'sqlmesh', file, '--project', 'acme-sqlmesh');
    expect(delivery).toMatchObject({ state: 'projected', invalid_item_count: 0 });
    expect(await below('shop.raw.orders', 'amount')).toEqual([
      ['shop.core.revenue', ['revenue']],
      ['shop.mart."every thing"', ['revenue']],
      ['shop.mart.report', ['revenue']],
      ['shop.stg.orders', ['amount_cents']],
    ]);
    expect((await below('shop.raw.customers')).map(([name]) => name)).toEqual([
      'shop.mart.scores',
      'shop.stg.customers',
    ]);
  });

  it('keeps the dependencies of a model whose SQL cannot be rendered, and says so', async () => {
    const { code, messages } = await exporter('python', [
      '-m',
      'unittest',
      'discover',
      '-s',
      'exporters/sqlmesh/tests',
    ]);
    expect([code, messages]).toEqual([0, expect.stringMatching(/Ran [1-9]\d* tests/)]);
  });

  it('does not begin where there is no project, and says what to name', async () => {
    const empty = project('empty', { 'README.md': '' });
    const no = async (...args: string[]) => {
      const { code, output, messages } = await exporter(command, args);
      expect([code, output]).toEqual([2, '']);
      expect(messages).not.toContain('Traceback');
      return messages;
    };
    expect(await no(path.join(folder, 'nowhere'))).toContain('there is no folder');
    expect(await no(empty)).toContain('no config.yaml');
    expect(await no(path.join(folder, 'shop'), '--gateway', 'bogus')).toContain('SQLMesh cannot load the project');
    const invalid = project('invalid', { 'config.yaml': configuration, 'models/one.sql': 'MODEL (name a.b); SELEC 1' });
    expect(await no(invalid)).toContain('models/one.sql');
    expect(await no(path.join(folder, 'shop'), '--output', path.join(folder, 'no', 'file.json'))).toContain(
      'cannot be written',
    );
  });

  it('has the options that its document lists', async () => {
    const { helped, documented } = await optionsOf(command, 'exporters/sqlmesh/README.md');
    expect(helped.length).toBeGreaterThan(0);
    expect(documented).toEqual(helped);
  });
});
