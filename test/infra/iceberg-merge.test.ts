import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import * as v from 'valibot';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireStatement, mergeStatement } from '../../lib/iceberg/merge.ts';
import { landingRecords } from '../../shared/adapters/firehose/event-stream.ts';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { eventColumns, landingColumns } from '../../shared/contract/lake.ts';

/** What Athena has and DuckDB calls otherwise; the statements themselves are run as they are deployed. */
const functionsOfAthena = `
  create macro from_iso8601_timestamp(text) as text::timestamptz;
  create macro date_format(moment, form) as strftime(moment, form);
  set timezone = 'UTC';`;

const typeOf = (column: string) => ({ received_at: 'timestamp(6)', trusted: 'boolean' })[column] ?? 'varchar';
const tables = `
  create or replace table landing (${landingColumns.map((column) => `"${column}" varchar`).join(', ')});
  create or replace table events (${eventColumns.map((column) => `"${column}" ${typeOf(column)}`).join(', ')});`;

let database: DuckDBConnection;
beforeAll(async () => {
  database = await (await DuckDBInstance.create()).connect();
  await database.run(functionsOfAthena);
});
beforeEach(() => database.run(tables));

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const dedupDays = 7;

type Sent = { readonly id: string; readonly event: string; readonly agoMs: number; readonly workspace?: string };

/** Delivers events to the landing table as the stream does. */
async function land(sent: readonly Sent[], now = Date.now()): Promise<void> {
  for (const { id, event, agoMs, workspace = 'ws' } of sent) {
    const origin = {
      workspace_id: v.parse(WorkspaceId, workspace),
      project_id: v.parse(CollectionProjectId, 'shop'),
      environment: 'prod',
      received_at: new Date(now - agoMs).toISOString(),
      request_id: 'r',
      trusted: false,
    };
    for (const record of landingRecords([JSON.stringify({ id, event, type: 'track' })], origin)) {
      const row = v.parse(v.record(v.string(), v.string()), JSON.parse(Buffer.from(record).toString()));
      const values = landingColumns.map((column) => `'${(row[column] ?? '').replaceAll("'", "''")}'`);
      await database.run(`insert into landing values (${values.join(', ')})`);
    }
  }
}
const mergeNow = () => database.run(mergeStatement(dedupDays));
const rows = async (what: string) =>
  (await database.runAndReadAll(`select ${what} from events order by all`)).getRowObjectsJson();

describe('the merge of landed events', () => {
  it('stores the first received event of each id once, however often it is sent, delivered and merged (C-LAKE-6)', async () => {
    const sent = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      workspace: fc.constantFrom('ws', 'other'),
      agoMs: fc.integer({ min: 20, max: 2_880 }).map((minutes) => minutes * minuteMs),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(sent, { selector: ({ agoMs }) => agoMs, maxLength: 12 }), async (all) => {
        await database.run(tables);
        const now = Date.now();
        const events = all.map((one) => ({ ...one, event: `at ${one.agoMs}` }));
        await land([...events, ...events.slice(0, 3)], now);
        await mergeNow();
        await mergeNow();
        const firsts = new Map<string, string>();
        for (const { workspace, id, event } of events.toSorted((one, other) => other.agoMs - one.agoMs))
          if (!firsts.has(`${workspace} ${id}`)) firsts.set(`${workspace} ${id}`, event);
        const stored = await rows('workspace_id, id, event');
        expect(new Map(stored.map(({ workspace_id, id, event }) => [`${workspace_id} ${id}`, event]))).toEqual(firsts);
        expect(stored).toHaveLength(firsts.size);
      }),
      { numRuns: 15 },
    );
  });

  it('knows a repeat of an id that was stored within the given days, and no other', async () => {
    await land([
      { id: 'kept', event: 'first', agoMs: 3 * dayMs },
      { id: 'old', event: 'first', agoMs: 3 * dayMs },
    ]);
    await mergeNow();
    await database.run(`update events set received_at = received_at - interval '3 days' where id = 'kept'`);
    await database.run(`update events set received_at = received_at - interval '5 days' where id = 'old'`);
    await database.run('delete from landing');
    await land(['kept', 'old'].map((id) => ({ id, event: 'second', agoMs: 20 * minuteMs })));
    await mergeNow();
    expect(await rows('id, event')).toEqual([
      { id: 'kept', event: 'first' },
      { id: 'old', event: 'first' },
      { id: 'old', event: 'second' },
    ]);
  });

  it('leaves what was received just now to the next one, as an earlier one may still be on its way', async () => {
    await land([{ id: 'a', event: 'later', agoMs: minuteMs }]);
    await mergeNow();
    expect(await rows('id')).toEqual([]);
  });

  it('has what an event does not say as null, the time as a time, and trust as a boolean', async () => {
    await land([{ id: 'a', event: 'it', agoMs: 20 * minuteMs }]);
    await mergeNow();
    const [row] = await rows(
      'user_id, "timestamp", trusted, environment, received_at > now()::timestamp - interval 1 hour as fresh',
    );
    expect(row).toEqual({ user_id: null, timestamp: null, trusted: false, environment: 'prod', fresh: true });
  });
});

it('forgets landed rows once they are a month old', async () => {
  await land([
    { id: 'a', event: 'old', agoMs: 32 * dayMs },
    { id: 'b', event: 'new', agoMs: 28 * dayMs },
  ]);
  await database.run(expireStatement);
  expect((await database.runAndReadAll('select id from landing')).getRowObjectsJson()).toEqual([{ id: 'b' }]);
});
