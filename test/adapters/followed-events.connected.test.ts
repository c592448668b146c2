import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { S3Client } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { queryRows } from '../../cli/events/query-rows.ts';
import { followedLines, storedLines } from '../../cli/events/stored-lines.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { lakeLease } from '../../shared/adapters/dynamodb/registry/rate-buckets.ts';
import { type Bucket, keysIn, putObject } from '../../shared/adapters/s3/bucket.ts';
import { CollectionProjectId, runIdAt, WorkspaceId } from '../../shared/contract/ids.ts';
import {
  compactedPrefix,
  lakeObjectKey,
  lakePrefix,
  partitionOf,
  workspaceFolder,
} from '../../shared/contract/lake.ts';
import { seedProject } from '../support/collection-seed.ts';
import { commandJson } from '../support/command-line.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { gathered } from '../support/gathered.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let bucket: Bucket;
beforeAll(() => {
  bucket = { client: new S3Client({ forcePathStyle: true }), name: stores.environment.LAKE_BUCKET };
});

const workspace = v.parse(WorkspaceId, `ws-${randomUUID().slice(0, 8)}`);

/** Stores one event as a run of the worker does, in a workspace. */
async function storeIn(workspace: WorkspaceId, id: string, received_at: string, project = 'shop'): Promise<void> {
  const project_id = v.parse(CollectionProjectId, project);
  const partition = partitionOf({ workspace_id: workspace, project_id, environment: 'prod', received_at });
  const key = lakeObjectKey({ partition, runId: runIdAt(new Date(received_at), randomUUID()) });
  const line = JSON.stringify({ id, received_at });
  await putObject(bucket, key, gzipSync(`${line}\n`), { type: 'application/gzip' });
}

const store = (id: string, received_at: string, project?: string) => storeIn(workspace, id, received_at, project);

describe('following the events of a workspace', () => {
  it('prints what is stored, then what is stored later, each row once, in any project and hour', async () => {
    await store('long ago', '2026-11-01T00:00:00.000Z');
    await store('last hour', '2026-11-21T09:59:59.000Z');
    const now = new Date('2026-11-21T10:30:00.000Z');
    const lines = followedLines(bucket, workspace, { clock: { now: () => now }, everyMs: 5 });
    const next = async (): Promise<string> => JSON.parse((await lines.next()).value).id;
    expect([await next(), await next()]).toEqual(['long ago', 'last hour']);
    await store('later', '2026-11-21T10:30:01.000Z');
    await store('earlier', '2026-11-21T10:29:00.000Z', 'other');
    await store('late', '2026-11-21T09:00:00.000Z');
    expect([await next(), await next(), await next()]).toEqual(['late', 'earlier', 'later']);
    await store('last', '2026-11-21T11:00:00.000Z');
    expect(await next()).toBe('last');
    await lines.return(undefined);
  });
});

const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 900_000 };

/** A run of the function that its schedule wakes. */
async function compact(): Promise<void> {
  const { handler } = await import('../../functions/compactor/handler.ts');
  await handler({}, context as never);
}

describe('the function that compacts', () => {
  const compacted = v.parse(WorkspaceId, `ws-${randomUUID().slice(0, 8)}`);
  const ids = ['first', 'second', 'third', 'fourth'];
  const keysBelow = (prefix: string) => gathered(keysIn(bucket, { Prefix: `${prefix}${workspaceFolder(compacted)}` }));
  const read = async () => (await gathered(storedLines(bucket, compacted))).map((line) => JSON.parse(line).id);

  beforeAll(async () => {
    const times = ['09:10', '09:20', '09:30', '10:10'];
    for (const [index, time] of times.entries())
      await storeIn(compacted, ids[index] ?? '', `2026-10-21T${time}:00.000Z`);
  });

  it('does not touch the lake while somebody else works on it', async () => {
    const lease = lakeLease({ client: dynamodb(), name: stores.environment.EVENT_TABLE_NAME }, 'somebody');
    expect(await lease.take(new Date())).toBe(true);
    await compact();
    expect(await keysBelow(compactedPrefix)).toEqual([]);
    await lease.release();
  });

  it('moves the rows of each hour into one object, which reads as they did (C-LAKE-5)', async () => {
    expect(await read()).toEqual(ids);
    await compact();
    expect(await keysBelow(lakePrefix)).toEqual([]);
    const keys = await keysBelow(compactedPrefix);
    expect(keys.map((key) => key.replace(/[0-9a-f-]{36}/g, 'run').replace(/^.*\/date/, 'date'))).toEqual([
      'date=2026-10-21/hour=09/run_run.ndjson.zst',
      'date=2026-10-21/hour=10/run_run.ndjson.zst',
    ]);
    expect(await read()).toEqual(ids);
    const sql = 'select id, hour from events order by received_at';
    const rows = await gathered(queryRows(bucket, { workspace: compacted, sql, allowFiles: false }));
    expect(rows.map((row) => JSON.parse(row))).toEqual(ids.map((id, at) => ({ id, hour: at < 3 ? '09' : '10' })));
  });

  it('adds what comes later, and gives the lake back', async () => {
    await storeIn(compacted, 'late', '2026-10-21T09:59:00.000Z');
    await compact();
    await compact();
    expect(await read()).toEqual(['first', 'second', 'third', 'late', 'fourth']);
    expect(await keysBelow(lakePrefix)).toEqual([]);
  });
});

describe('the retention of events', () => {
  it('removes what a project keeps no longer, hour by hour, and nothing of the others (C-RETAIN-1)', async () => {
    const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
    const { workspace, project } = await seedProject(table, 'https://app.acme.test');
    const { file, remove } = await credentialsFile();
    const update = (days: string) =>
      commandJson([
        ...['admin', 'projects', 'update', workspace, project],
        ...['--events-retention-days', days, '--credentials', file],
      ]);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const held = v.parse(WorkspaceId, workspace);
    for (const [id, hours, of] of [
      ['old', 30 * 24 + 2, project],
      ['kept', 30 * 24 - 2, project],
      ['new', 0, project],
      ['other', 60 * 24, 'other'],
    ] as const)
      await storeIn(held, id, hoursAgo(hours), of);
    const read = async () => (await gathered(storedLines(bucket, workspace))).map((line) => JSON.parse(line).id);
    await compact();
    expect(await read()).toEqual(['other', 'old', 'kept', 'new']);
    expect((await update('30')).events_retention_days).toBe(30);
    await compact();
    expect(await read()).toEqual(['other', 'kept', 'new']);
    expect((await update('0')).events_retention_days).toBeNull();
    await remove();
  });
});
