import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, it } from 'vitest';
import { compactedObjectKey, lakeColumns, lakeObjectKey } from '../../shared/contract/lake.ts';

const lake = mkdtempSync(path.join(tmpdir(), 'lake-'));
afterAll(() => rmSync(lake, { recursive: true }));

const [, recipe = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync('docs/lake.md', 'utf8')) ?? [];
const [partition, later] = ['00', '01'].map(
  (hour) => `workspace=ws_a/project=prj_a/environment=prod/date=2026-11-01/hour=${hour}`,
);
const run = (n: number): string => `019d0000-0000-7000-8000-00000000000${n}`;
const old = '01a00000-0000-4000-8000-000000000000';

const rows = (...ids: readonly number[]): string =>
  ids
    .map(
      (id) =>
        `${JSON.stringify({ id: `e${id}`, received_at: new Date().toISOString(), event: 'signup', user_id: 'u', groups: { a: 'b' } })}\n`,
    )
    .join('');

function put(key: string, bytes: Uint8Array): void {
  const file = path.join(lake, key);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'])(
  'reads each row of the lake once by DuckDB as docs/lake.md says, while an hour is compacted, in the zone %s',
  async (zone) => {
    const ofRun = (place: string, runId: string, ...ids: readonly number[]) =>
      put(lakeObjectKey({ partition: place, runId }), gzipSync(rows(...ids)));
    const whole = (first: string, last: string, ...ids: readonly number[]) =>
      put(compactedObjectKey({ partition: partition ?? '', first, last }), zstdCompressSync(rows(...ids)));
    whole(run(1), run(4), 1, 2, 3, 4);
    whole(run(2), run(3), 2, 3);
    whole(run(6), run(6), 6);
    for (const n of [2, 4, 6]) ofRun(partition ?? '', run(n), n);
    ofRun(partition ?? '', run(5), 5);
    ofRun(later ?? '', run(2), 7);
    ofRun(partition ?? '', old, 8);
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`set timezone = '${zone}'`);
    const answer = await connection.runAndReadAll(recipe.replace('s3://BUCKET', lake));
    expect(answer.getRowObjectsJson()).toEqual([{ event: 'signup', events: '8', users: '1' }]);
    const ids = await connection.runAndReadAll('select id from events order by id');
    expect(ids.getRowObjectsJson().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `e${n}`));
    const recent = await connection.runAndReadAll(
      'select count(*) as n from events where received_at > now() - interval 1 hour and received_at <= now()',
    );
    expect(recent.getRowObjectsJson()).toEqual([{ n: '8' }]);
    const described = await connection.runAndReadAll('describe events');
    const names = described.getRowObjectsJson().map(({ column_name }) => column_name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(lakeColumns)));
  },
);
