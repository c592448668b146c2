import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryRows } from '../../cli/events/query-rows.ts';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { dynamodb, sqs } from '../../shared/adapters/aws.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { putObject } from '../../shared/adapters/s3/bucket.ts';
import { lakeObjectKey, lakeObjectOf, workspacePrefix } from '../../shared/contract/lake.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';
import { storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { type SeededProject, seedProject } from '../support/collection-seed.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { gathered } from '../support/gathered.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const program = path.resolve(import.meta.dirname, '..', '..', 'cli', 'events.ts');
let project: SeededProject;
let file: Awaited<ReturnType<typeof credentialsFile>>;
let folder: string;

beforeAll(async () => {
  project = await seedProject({ client: dynamodb(), name: stores.environment.TABLE_NAME }, 'https://app.acme.test');
  [file, folder] = [await credentialsFile(), await mkdtemp(path.join(tmpdir(), 'events-'))];
  await put(
    `${workspacePrefix(project.workspace)}project=p/environment=e/date=2026-11-20/hour=10/${run}.ndjson.gz`,
    'mine',
  );
});
afterAll(async () => {
  await file.remove();
  await rm(folder, { recursive: true });
});

const run = '00000000-0000-4000-8000-000000000000';

const put = (key: string, id: string) =>
  putObject(
    storeEventsPorts().bucket,
    key,
    gzipSync(`${JSON.stringify({ id, event: 'a\u202eb\u009b', received_at: '2026-11-20T10:00:00Z' })}\n`),
    { type: 'application/gzip' },
  );

function events(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, '--credentials', file.file, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const query = (sql: string, allowFiles = false) =>
  gathered(queryRows(storeEventsPorts().bucket, { workspace: project.workspace, sql, allowFiles }));

describe('objects whose keys are not the lake’s', () => {
  it.each([
    [
      'leads out of the folder',
      (prefix: string) => `${prefix}project=p/environment=e/date=2026-11-20/hour=10/../../../../../x.ndjson.gz`,
    ],
    [
      'leads out of a partition',
      (prefix: string) => `${prefix}project=../environment=e/date=2026-11-20/hour=10/${run}.ndjson.gz`,
    ],
    [
      'has further parts',
      (prefix: string) => `${prefix}project=p/environment=e/date=2026-11-20/hour=10/a/${run}.ndjson.gz`,
    ],
    ['has another ending', (prefix: string) => `${prefix}project=p/environment=e/date=2026-11-20/hour=10/${run}.sh`],
    ['has another date', (prefix: string) => `${prefix}project=p/environment=e/date=today/hour=10/${run}.ndjson.gz`],
  ])('are not read or written if the key %s', async (_, keyOf) => {
    const key = keyOf(workspacePrefix(project.workspace));
    expect(lakeObjectOf(key)).toBeNull();
    await put(key, 'planted');
    const ids = (await gathered(storedLines(storeEventsPorts().bucket, project.workspace))).map(
      (line) => JSON.parse(line).id,
    );
    expect(ids).toEqual(['mine']);
    expect(await query('select id from events')).toEqual(['{"id":"mine"}']);
  });

  it('are those that no object of the lake has', () => {
    const object = { partition: 'workspace=w/project=p/environment=e/date=2026-11-20/hour=10', runId: run };
    expect(lakeObjectOf(lakeObjectKey(object))).toEqual(object);
  });
});

describe('SQL over the events', () => {
  it('opens nothing but the events, unless files are allowed', async () => {
    const secret = path.join(folder, 'secret.csv');
    await writeFile(secret, 'a\n1\n');
    const read = `select * from read_csv('${secret}')`;
    await expect(query(read)).rejects.toThrow(/disabled|Permission/);
    expect(await query(read, true)).toEqual(['{"a":1}']);
  });

  it.each([
    [
      'copy (select 1) to',
      (target: string) => `select 1) as answer; copy (select 1) to '${target}'; select * from (select 1`,
    ],
    ['attach', (target: string) => `select 1) as answer; attach '${target}' as other; select * from (select 1`],
    [
      'lift the limits and copy',
      (target: string) =>
        `select 1) as answer; set enable_external_access = true; copy (select 1) to '${target}'; select * from (select 1`,
    ],
  ])('cannot %s a file elsewhere', async (_, sqlOf) => {
    const target = path.join(folder, 'written');
    await expect(query(sqlOf(target))).rejects.toThrow();
    expect(existsSync(target)).toBe(false);
  });

  it.each([
    ['the file of another folder by its name', (secret: string) => `select * from '${secret}'`],
    ['the file as text', (secret: string) => `select * from read_text('${secret}')`],
    ['the names of files', (secret: string) => `select * from glob('${path.dirname(secret)}/*')`],
    ['a device or a file of the system', () => "select * from read_text('/proc/self/environ')"],
    ['a file by a second statement', (secret: string) => `select 1; select * from read_text('${secret}')`],
  ])('does not read %s', async (_, sqlOf) => {
    const secret = path.join(folder, 'secret.csv');
    await writeFile(secret, 'a\n1\n');
    await expect(query(sqlOf(secret))).rejects.toThrow();
  });

  it.each([
    ['INSTALL', 'install httpfs'],
    ['LOAD', 'load httpfs'],
    ['LOAD of a file', "load '/tmp/other.duckdb_extension'"],
    ['EXPORT', "export database '/tmp/exported-events'"],
    ['IMPORT', "import database '/tmp/exported-events'"],
    ['a write to the events', 'delete from events'],
    ['another view of the events', 'create or replace view events as select 1'],
    ['a changed setting', "set temp_directory = '/tmp/elsewhere'"],
  ])('refuses %s, by itself and behind a query', async (_, statement) => {
    await expect(query(statement)).rejects.toThrow();
    await expect(query(`select 1) as answer; ${statement}; select * from (select 1`)).rejects.toThrow(
      /one query|Permission/,
    );
  });

  it('loads no extension and reaches no network', async () => {
    await expect(query("select * from read_csv('http://127.0.0.1:9/x.csv')")).rejects.toThrow();
    await expect(query('select 1) as answer; install httpfs; select * from (select 1')).rejects.toThrow();
  });
});

describe('npm run events', () => {
  it('says 0 if nothing is missing, without a character that a terminal acts on', async () => {
    const { code, stdout, stderr } = await events('--workspace', project.workspace);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'mine', event: 'a\u202eb\u009b' });
  });

  it('says 5 and how many where accepted events are among the dead letters', async () => {
    const QueueUrl = stores.environment.EVENTS_DEAD_LETTER_QUEUE_URL;
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    const { code, stdout, stderr } = await events('--workspace', project.workspace);
    expect([code, JSON.parse(stdout).id]).toEqual([5, 'mine']);
    expect(stderr).toMatch(
      /1 batches could not be stored\. .*npm run tributary -- admin redrive events --credentials FILE\n$/s,
    );
    const sql = await events('--workspace', project.workspace, '--sql', 'select id from events');
    expect([sql.code, sql.stdout]).toEqual([5, '{"id":"mine"}\n']);
    await sqs().send(new PurgeQueueCommand({ QueueUrl }));
  });

  it('waits for dead letters if it is asked to', async () => {
    const QueueUrl = stores.environment.EVENTS_DEAD_LETTER_QUEUE_URL;
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    let isOver = false;
    const asking = events('--workspace', project.workspace, '--wait').then((answer) => {
      isOver = true;
      return answer;
    });
    // Another call starts and ends in the meantime.
    await events('--workspace', project.workspace);
    expect(isOver).toBe(false);
    await sqs().send(new PurgeQueueCommand({ QueueUrl }));
    expect((await asking).code).toBe(0);
  });

  it.each([
    [2, ['--workspace', 'x', '--bogus']],
    [2, []],
    [3, ['--workspace', 'nobody']],
  ])('says %i, why, and no trace for %j', async (expected, args) => {
    const { code, stderr } = await events(...args);
    expect(code).toBe(expected);
    expect(stderr).toMatch(
      /^(Unknown option '--bogus'|Choose a workspace: pass --workspace|There is no workspace “nobody”\.)/,
    );
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('says 2 for a query that cannot be run', async () => {
    const { code, stderr } = await events('--workspace', project.workspace, '--sql', 'selec');
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('takes a workspace by its name', async () => {
    const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
    const operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'test' };
    const { id } = (await createWorkspace(operator, { name: 'By its name' })).record;
    await put(`${workspacePrefix(id)}project=p/environment=e/date=2026-11-20/hour=10/${run}.ndjson.gz`, 'named');
    expect(JSON.parse((await events('--workspace', 'By its name')).stdout).id).toBe('named');
  });
});
