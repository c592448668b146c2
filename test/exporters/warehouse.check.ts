import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson } from '../support/command-line.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { exporter, optionsOf } from './exporter.ts';

const command = 'tributary-warehouse-export';
// The log of PostgreSQL 15 while dbt 1.10 built a project of 13 models and a snapshot, and built it again.
const log = 'test/fixtures/warehouse/postgres-dbt-build.csv';
let service: ServiceProcess;
let folder: string;
beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  folder = mkdtempSync(path.join(tmpdir(), 'warehouse-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.end('SIGTERM');
});

const namespace = () => service.credentials.workspaces['acme']?.connectors['warehouse']?.namespaces[0] ?? '';
const tributary = (...args: string[]) =>
  commandJson([...args, '--credentials', service.file, '--workspace', 'acme', '--connector', 'warehouse'], { folder });

/** Each relation that dbt built, and what feeds it: as in dbt's own manifest. */
const built = {
  'dbt_stg.stg_orders': ['dbt.raw_orders'],
  'dbt_stg.stg_customers': ['dbt.raw_customers'],
  'dbt_stg.stg_payments': ['dbt.raw_payments'],
  'dbt_marts.fct_orders': ['dbt_stg.stg_orders', 'dbt_stg.stg_payments'],
  'dbt_marts.dim_customers': ['dbt.countries', 'dbt_stg.stg_customers'],
  'dbt_marts.customer_value': ['dbt_marts.dim_customers', 'dbt_marts.fct_orders'],
  'dbt_marts.order_log': ['dbt_marts.fct_orders'],
  'dbt_marts.events_append': ['dbt_stg.stg_payments'],
  'dbt_marts.all_amounts': ['dbt_stg.stg_orders', 'dbt_stg.stg_payments'],
  'dbt_marts.top_countries': ['dbt_marts.customer_value'],
  'dbt_marts.report': ['dbt_marts.all_amounts', 'dbt_marts.customer_value', 'dbt_marts.top_countries'],
  'snap.orders_snapshot': ['dbt_stg.stg_orders'],
};

describe('an export of PostgreSQL’s log', () => {
  it('gives the relations and columns that dbt built, without a literal of their statements', async () => {
    const file = path.join(folder, 'history.ndjson');
    const { code, messages } = await exporter(command, ['postgres', log, '--datasets', namespace(), '--output', file]);
    expect([code, messages]).toEqual([
      0,
      expect.stringMatching(/^2\d statements of 1\d shapes, 1\d events are exported/),
    ]);
    const text = readFileSync(file, 'utf8');
    for (const literal of ['gold', 'gift', 'dbt_version', 'connection_name']) expect(text).not.toContain(literal);
    await tributary('push', 'openlineage', file, '--provider-key', 'history');
    for (const [relation, sources] of Object.entries(built)) {
      const { upstream } = await tributary('impact', `shop.${relation}`, '--direction', 'upstream', '--depth', '1');
      const names = upstream.map(({ relation_ref }: { relation_ref: string }) => relation_ref.replace('shop.', ''));
      expect([relation, names.sort()]).toEqual([relation, sources]);
    }
    const columns = ['--column', 'country_ltv', '--direction', 'upstream', '--influence', 'direct'];
    const { upstream } = await tributary('impact', 'shop.dbt_marts.report', ...columns);
    expect(upstream.map((one: { relation_ref: string; columns: string[] }) => [one.relation_ref, one.columns])).toEqual(
      [
        ['shop.dbt_marts.top_countries', ['ltv']],
        ['shop.dbt_marts.customer_value', ['ltv']],
        ['shop.dbt_marts.fct_orders', ['paid']],
        ['shop.dbt_stg.stg_payments', ['amount']],
        ['shop.dbt.raw_payments', ['cents']],
      ],
    );
  });

  it('exports only what is newer than the last time, and only counts with --dry-run', async () => {
    const state = path.join(folder, 'state.json');
    const args = ['postgres', log, '--datasets', namespace(), '--state', state];
    const dry = await exporter(command, [...args, '--dry-run']);
    expect([dry.output, dry.messages]).toEqual(['', expect.stringMatching(/^2\d statements .* nothing is written/)]);
    expect((await exporter(command, args)).output).not.toBe('');
    const again = await exporter(command, args);
    expect([again.output, again.messages]).toEqual(['', expect.stringMatching(/^0 statements/)]);
  });

  it('says which file cannot be read', async () => {
    const { code, messages } = await exporter(command, ['postgres', 'missing.csv', '--datasets', namespace()]);
    expect([code, messages]).toEqual([2, expect.stringContaining('missing.csv')]);
  });

  it('documents every option', async () => {
    const { helped, documented } = await optionsOf(command, 'exporters/warehouse/README.md');
    expect(documented).toEqual(helped);
  });

  it('passes its own tests', async () => {
    const { code, messages } = await exporter('python', [
      '-m',
      'unittest',
      'discover',
      '-s',
      'exporters/warehouse/tests',
    ]);
    expect([code, messages]).toEqual([0, expect.stringMatching(/Ran [1-9]\d* tests/)]);
  });
});
