import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { AthenaClient } from '@aws-sdk/client-athena';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { erasableTables } from '../../cli/admin/erase-stored.ts';
import { WorkspaceId } from '../../shared/contract/ids.ts';
import { eventColumns, landingColumns } from '../../shared/contract/lake.ts';
import { eraseFromTables } from '../../shared/domain/events/erase/erase-user.ts';
import type { Person } from '../../shared/domain/events/erase/person.ts';

const Call = v.looseObject({ QueryString: v.optional(v.string()), QueryExecutionId: v.optional(v.string()) });
const place = { database: 'tributary_acme_iceberg', workGroup: 'tributary-acme' };

/** Athena's protocol before tables of DuckDB, which runs the statements as they are sent. */
let database: DuckDBConnection;
let server: Server;
let client: AthenaClient;
let statements: string[];
let failing: (statement: string) => string | undefined;
const results = new Map<
  string,
  { readonly rows: readonly (readonly string[])[]; readonly reason?: string | undefined }
>();

const answers: Readonly<Record<string, (call: v.InferOutput<typeof Call>) => Promise<object> | object>> = {
  StartQueryExecution: async ({ QueryString = '', ...rest }) => {
    expect(rest).toMatchObject({ WorkGroup: 'tributary-acme', QueryExecutionContext: { Database: place.database } });
    statements.push(QueryString);
    const QueryExecutionId = String(statements.length);
    const reason = failing(QueryString);
    const rows = reason ? [] : (await database.runAndReadAll(QueryString)).getRows().map((row) => row.map(String));
    results.set(QueryExecutionId, { rows, reason });
    return { QueryExecutionId };
  },
  GetQueryExecution: ({ QueryExecutionId = '' }) => {
    const reason = results.get(QueryExecutionId)?.reason;
    return {
      QueryExecution: { Status: reason ? { State: 'FAILED', StateChangeReason: reason } : { State: 'SUCCEEDED' } },
    };
  },
  GetQueryResults: ({ QueryExecutionId = '' }) => {
    const rows = [['day', 'rows'], ...(results.get(QueryExecutionId)?.rows ?? [])];
    return { ResultSet: { Rows: rows.map((row) => ({ Data: row.map((VarCharValue) => ({ VarCharValue })) })) } };
  },
};

const typeOf = (column: string) => ({ received_at: 'timestamp(6)', trusted: 'boolean' })[column] ?? 'varchar';

beforeAll(async () => {
  database = await (await DuckDBInstance.create()).connect();
  await database.run('create macro date_format(moment, form) as strftime(moment, form)');
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const answer = await answers[operation]?.(v.parse(Call, JSON.parse(Buffer.concat(parts).toString())));
    response.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
  client = new AthenaClient({ region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, credentials });
});
afterAll(() => server.close());

beforeEach(async () => {
  statements = [];
  failing = () => undefined;
  await database.run(`create or replace table landing (${landingColumns.map((one) => `"${one}" varchar`).join(', ')})`);
  await database.run(
    `create or replace table events (${eventColumns.map((one) => `"${one}" ${typeOf(one)}`).join(', ')})`,
  );
});

const workspace = v.parse(WorkspaceId, 'ws_1');
const tables = () => erasableTables(place, workspace, client);
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

type Row = { readonly day: string; readonly user: string; readonly anonymous?: string; readonly workspace?: string };

async function store(table: 'landing' | 'events', { day, user, anonymous = '', workspace: of = 'ws_1' }: Row) {
  const landed = table === 'landing' ? `, received_date = ${text(day)}` : '';
  const values = `workspace_id = ${text(of)}, user_id = ${text(user)}, anonymous_id = ${text(anonymous)}, received_at = '${day} 23:59:59'${landed}`;
  const pairs = values.split(', ').map((pair) => pair.split(' = '));
  const [names, contents] = [pairs.map(([name]) => name), pairs.map(([, content]) => content)];
  await database.run(`insert into ${table} (${names.join(', ')}) values (${contents.join(', ')})`);
}

const left = async (table: string) =>
  (await database.runAndReadAll(`select workspace_id, user_id from ${table} order by all`)).getRows();

describe('erasing a person from Iceberg tables', () => {
  const user = (id: string): Person => ({ column: 'user_id', id });

  it('deletes exactly their rows in the workspace from both tables, and counts them (C-ERASE-3)', async () => {
    const days = ['2025-01-31', '2026-11-01', '2026-11-30'];
    for (const day of days)
      for (const table of ['landing', 'events'] as const) {
        await store(table, { day, user: "o'brien" });
        await store(table, { day, user: 'other', anonymous: "o'brien" });
        await store(table, { day, user: "o'brien", workspace: 'ws_2' });
      }
    expect(await eraseFromTables(tables(), user("o'brien"))).toBe(6);
    for (const table of ['landing', 'events'])
      expect(await left(table)).toEqual([...days.map(() => ['ws_1', 'other']), ...days.map(() => ['ws_2', "o'brien"])]);
    expect(await eraseFromTables(tables(), { column: 'anonymous_id', id: "o'brien" })).toBe(6);
    expect(await left('events')).toEqual(days.map(() => ['ws_2', "o'brien"]));
  });

  it('names the days of each statement, at most a hundred of them, which are partitions', async () => {
    const dayOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
    for (let n = 0; n < 101; n++) await store('events', { day: dayOf(n), user: 'u' });
    expect(await eraseFromTables(tables(), user('u'))).toBe(101);
    const deleted = statements.filter((one) => one.startsWith('DELETE FROM "events"'));
    expect(deleted.map((one) => one.match(/\d{4}-\d\d-\d\d(?= 00)/g))).toEqual([
      [dayOf(0), dayOf(99)],
      [dayOf(100), dayOf(100)],
    ]);
  });

  it('runs a statement again that a merge has overtaken', async () => {
    await store('events', { day: '2026-11-01', user: 'u' });
    const reasons = ['ICEBERG_COMMIT_ERROR: Failed to commit Iceberg update to table: events'];
    failing = (statement) => (statement.startsWith('DELETE') ? reasons.pop() : undefined);
    expect(await eraseFromTables(tables(), user('u'))).toBe(1);
    expect(await left('events')).toEqual([]);
  });

  it('says what Athena says if it does not run a statement, and what to do', async () => {
    failing = () => 'Insufficient Lake Formation permission(s)';
    const failure = {
      message: expect.stringContaining(place.database),
      hints: [failing(''), expect.stringContaining('again')],
    };
    await expect(eraseFromTables(tables(), user('u'))).rejects.toMatchObject(failure);
    expect(statements).toHaveLength(1);
  });
});
