import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson } from '../support/command-line.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { exporter } from './exporter.ts';
import { startPostgres } from './postgres-server.ts';

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

const prepared = [
  'create extension pg_stat_statements; create schema raw; create schema m',
  'create table raw.orders (id int primary key, customer int, amount int, status text)',
  'create table raw.rates (id int primary key, percent int)',
  'create table m.totals (customer int primary key, total bigint)',
  'create table m.rates (id int primary key, rate int)',
  'create table m.from_temporary (id int, twice int)',
  'create table m.by_procedure (customer int)',
  'create procedure m.refresh() language sql as $$ insert into m.by_procedure (customer) select customer from raw.orders $$',
  // The extension's own script made views.
  'select pg_stat_statements_reset()',
];
const counted = [
  "create table m.orders as select id, customer, amount * 42 as cents from raw.orders where status = 'paid'",
  `insert into m.totals (customer, total) select customer, sum(cents) from m.orders group by 1
     on conflict (customer) do update set total = excluded.total`,
  `merge into m.rates t using raw.rates s on t.id = s.id when matched then update set rate = s.percent
     when not matched then insert (id, rate) values (s.id, s.percent)`,
  `begin; create temporary table doubled on commit drop as select id, amount + amount as twice from raw.orders;
     insert into m.from_temporary (id, twice) select id, twice from doubled; commit`,
  'call m.refresh()',
];
const views = [
  'create schema m; create table public.visits (id int, seconds int)',
  `create view m."Long visits" as select id, seconds * 60 as minutes from visits where id <> 42`,
  'create materialized view m.longest as select max(minutes) as minutes from m."Long visits"',
];

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

  it.for(['UTF8', 'SQL_ASCII'])(
    'reads the statements that a server of %s counts, those of procedures too, and then only those that ran again',
    async (encoding, context) => {
      const server = startPostgres(encoding);
      if (server === null) return context.skip('PostgreSQL is not installed.');
      const state = path.join(folder, `${encoding}.json`);
      const exported = async () => {
        const file = path.join(folder, 'counted.ndjson');
        const args = ['--datasets', namespace(), '--state', state, '--output', file];
        const { code, messages } = await exporter(command, ['postgres', '--connect', server.place, ...args]);
        expect([code, messages]).toEqual([0, expect.stringContaining('are exported')]);
        const lines = readFileSync(file, 'utf8').split('\n');
        await tributary('push', 'openlineage', file, '--provider-key', 'counted');
        return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line).job.facets.sql.query as string]));
      };
      try {
        for (const sql of [...prepared, ...counted]) server.run(sql);
        const first = await exported();
        expect(first).toHaveLength(5);
        expect(first.join()).not.toMatch(/paid|42/);
        server.run('call m.refresh()');
        expect(await exported()).toEqual([expect.stringContaining('m.by_procedure')]);
      } finally {
        server.stop();
      }
      const upstream = async (relation: string, column: string) => {
        const args = ['--column', column, '--direction', 'upstream', '--depth', '1', '--influence', 'direct'];
        const found = await tributary('impact', `shop.${relation}`, ...args);
        return found.upstream.map((one: { relation_ref: string; columns: string[] }) => [
          one.relation_ref,
          ...one.columns,
        ]);
      };
      expect(await upstream('m.orders', 'cents')).toEqual([['shop.raw.orders', 'amount']]);
      expect(await upstream('m.totals', 'total')).toEqual([['shop.m.orders', 'cents']]);
      expect(await upstream('m.rates', 'rate')).toEqual([['shop.raw.rates', 'percent']]);
      expect(await upstream('m.from_temporary', 'twice')).toEqual([['shop.raw.orders', 'amount']]);
      expect(await upstream('m.by_procedure', 'customer')).toEqual([['shop.raw.orders', 'customer']]);
    },
  );

  it('reads views and materialized views of a server, whatever its history knows', async (context) => {
    const server = startPostgres('UTF8');
    if (server === null) return context.skip('PostgreSQL is not installed.');
    const file = path.join(folder, 'views.ndjson');
    try {
      for (const sql of views) server.run(sql);
      const args = ['--connect', server.place, '--datasets', namespace(), '--output', file];
      const { code, messages } = await exporter(command, ['postgres-views', ...args]);
      expect([code, messages]).toEqual([0, '2 statements of 2 shapes, 2 events are exported\n']);
    } finally {
      server.stop();
    }
    expect(readFileSync(file, 'utf8')).not.toMatch(/<> 42|\* 60/);
    await tributary('push', 'openlineage', file, '--provider-key', 'views');
    const { downstream } = await tributary('impact', 'shop.public.visits', '--column', 'seconds');
    expect(
      downstream.map((one: { relation_ref: string; columns: string[] }) => [one.relation_ref, ...one.columns]),
    ).toEqual([
      ['shop.m."Long visits"', 'minutes'],
      ['shop.m.longest', 'minutes'],
    ]);
  });

  it('says that a BI tool reads a table, in the words of its queries and without their literals', async () => {
    const [counted, file] = [path.join(folder, 'queries.csv'), path.join(folder, 'queries.ndjson')];
    const query = `select day, case when total > 7 then 1 end from sales.daily where shop = 'x'`;
    writeFileSync(
      counted,
      `read_at,database,user_name,queryid,calls,query\n2026-11-28T10:00:00Z,shop,metabase,1,5,"${query}"\n`,
    );
    const args = ['postgres', counted, '--datasets', namespace(), '--output', file, '--reader', 'metabase'];
    const { code, messages } = await exporter(command, args);
    expect([code, messages]).toEqual([0, '1 statements of 1 shapes, 1 events are exported\n']);
    expect(readFileSync(file, 'utf8')).not.toMatch(/> 7|'x'/);
    await tributary('push', 'openlineage', file, '--provider-key', 'queries');
    const { claim } = await tributary('impact', 'shop.sales.daily');
    expect(claim).toMatchObject({
      kind: 'may_break',
      limits: expect.arrayContaining([
        expect.objectContaining({
          code: 'read_without_output',
          text: expect.stringContaining('postgres-history/shop.reads.metabase.'),
        }),
      ]),
    });
  });

  it('leads from a landed table to the table that Airbyte copies, by column', async () => {
    const stream = { name: 'orders', namespace: 'public', jsonSchema: { properties: { id: {}, total: {} } } };
    const documents = {
      connections: [
        {
          ...{ connectionId: 'c1', name: 'crm', sourceId: 's1', destinationId: 'd1', status: 'active' },
          ...{ namespaceDefinition: 'customformat', namespaceFormat: 'landed', prefix: 'crm_' },
          syncCatalog: { streams: [{ stream, config: { selected: true } }] },
        },
      ],
      sources: [
        { sourceId: 's1', sourceName: 'Postgres', connectionConfiguration: { host: 'crm.test', database: 'crm' } },
      ],
    };
    const [connections, file] = [path.join(folder, 'airbyte.json'), path.join(folder, 'airbyte.ndjson')];
    writeFileSync(connections, JSON.stringify(documents));
    const place = ['--datasets', namespace(), '--database', 'shop', '--output', file];
    const { code, messages } = await exporter(command, ['airbyte', connections, ...place]);
    expect([code, messages]).toEqual([0, '1 landed tables of 1 connections, 1 events are exported\n']);
    await tributary('push', 'openlineage', file, '--provider-key', 'airbyte');
    const column = ['--column', 'total', '--direction', 'upstream'];
    const { upstream } = await tributary('impact', 'shop.landed.crm_orders', ...column);
    expect(upstream).toMatchObject([
      { relation_ref: 'postgres://crm.test:5432/crm.public.orders', columns: ['total'] },
    ]);
  });

  it('says which file cannot be read, and which database is not reached', async () => {
    const { code, messages } = await exporter(command, ['postgres', 'missing.csv', '--datasets', namespace()]);
    expect([code, messages]).toEqual([2, expect.stringContaining('missing.csv')]);
    const unreached = await exporter(command, ['postgres', '--connect', 'host=/nowhere', '--datasets', namespace()]);
    expect([unreached.code, unreached.messages]).toEqual([5, expect.stringContaining('/nowhere')]);
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
