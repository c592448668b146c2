import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { readStoredObject, storedObjects } from '../../shared/adapters/s3/event-lake.ts';
import { lakeColumns, partitionNames, type StoredObject } from '../../shared/contract/lake.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { longDecimalsAsText } from '../../shared/domain/base/json/read-json.ts';
import { linesOf } from '../../shared/domain/events/store/store-batches.ts';
import { openDuckdb, quoted } from '../duckdb.ts';
import { CommandError, exitCodes } from '../outcome.ts';

type Query = {
  readonly workspace: string;
  readonly sql: string;
  /** Lets the query read and write files and load extensions, as DuckDB does by itself. */
  readonly allowFiles: boolean;
};

/** The query is refused; the message says why. */
export class QueryRefused extends Error {}

/** The rows that DuckDB answers to a query over the stored events of a workspace, as JSON text. */
export async function* queryRows(bucket: Bucket, query: Query): AsyncGenerator<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-events-'));
  try {
    const isEmpty = (await downloadEvents(bucket, query.workspace, folder)) === 0;
    const connection = await openViews(folder, { isEmpty });
    await restrict(connection, folder, query);
    const answer = `select to_json(answer) from (${query.sql.replace(/;\s*$/, '')}\n) as answer`;
    const result = await started(connection, answer).catch((cause: Error) => {
      throw new QueryRefused(cause.message, { cause });
    });
    for await (const rows of result.yieldRows()) for (const [row] of rows) yield String(row);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A text may close the brackets that it is put into: what follows would run as further statements. */
async function started(connection: DuckDBConnection, sql: string) {
  const { count } = await connection.extractStatements(sql);
  if (count !== 1) throw new QueryRefused('--sql takes one query: remove what follows it.');
  return connection.stream(sql);
}

/** The query opens no other file than those of the folder. */
async function restrict(connection: DuckDBConnection, folder: string, { allowFiles }: Query): Promise<void> {
  if (!allowFiles) {
    await connection.run(`set allowed_directories = [${quoted(`${folder}${path.sep}`)}]`);
    await connection.run('set enable_external_access = false');
  }
  await connection.run('set lock_configuration = true');
}

/** Writes the stored events of a workspace into a folder, with a DuckDB file of views over them. Returns the file. */
export async function writeViews(bucket: Bucket, workspace: string, folder: string): Promise<string> {
  const file = path.resolve(folder, 'events.duckdb');
  const isEmpty = (await downloadEvents(bucket, workspace, path.join(folder, 'events'))) === 0;
  try {
    const connection = await openViews(path.join(folder, 'events'), { isEmpty, file });
    await connection.run('checkpoint');
    connection.disconnectSync();
  } catch (error) {
    // Its views read the folder, so that a tool that has it open sees the new events all the same.
    if (!/lock|being used/i.test(String(error))) throw error;
    if (isEmpty) throw new CommandError(exitCodes.unavailable, `${file} is open in another program. Close it.`);
  }
  return file;
}

const objectsInFlight = 16;
const viewsFile = path.join(import.meta.dirname, 'views.sql');

/** Makes the files of a folder the stored events of a workspace. Returns their number. */
async function downloadEvents(bucket: Bucket, workspace: string, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (;;) {
    const objects = await storedObjects(bucket, workspace);
    const files = await inParallel(objectsInFlight, objects, (object) => download(bucket, object, folder));
    // One was compacted since it was listed.
    if (files.includes(null)) continue;
    const current = new Set(files);
    for (const name of await readdir(folder, { recursive: true }))
      if (/\.ndjson(\.part)?$/.test(name) && !current.has(name)) await rm(path.join(folder, name));
    return objects.length;
  }
}

/** Unpacks an object under its partition, whose form the key restricts. Null if the object is gone. */
async function download(bucket: Bucket, object: StoredObject, folder: string): Promise<string | null> {
  const bytes = await readStoredObject(bucket, object);
  if (bytes === null) return null;
  const name = path.join(object.partition, `${'runId' in object ? object.runId : object.first}.ndjson`);
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await pipeline(readableLines(object, bytes), createWriteStream(`${file}.part`));
  await rename(`${file}.part`, file);
  return name;
}

function* readableLines(object: StoredObject, bytes: Uint8Array): Generator<string> {
  for (const line of linesOf(object, bytes))
    yield `${longDecimalsAsText(line).replaceAll(escapeSequence, (one) => (one.length > 2 ? '\\ufffd' : one))}\n`;
}

/** A half of a character, which JSON may hold and DuckDB refuses; JSON.stringify escapes no whole one. */
const escapeSequence = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|[\s\S])/g;

/** A database with the views of docs/sessions.md over the files of a folder. All times are in UTC. */
async function openViews(
  folder: string,
  { isEmpty, file }: { readonly isEmpty: boolean; readonly file?: string },
): Promise<DuckDBConnection> {
  const connection = await openDuckdb(file === undefined ? '--sql' : '--view', file);
  await connection.run("set timezone = 'UTC'");
  await connection.run(`create or replace view events as ${isEmpty ? nothing : files(path.resolve(folder))}`);
  await connection.run(await readFile(viewsFile, 'utf8'));
  return connection;
}

/** The same names and types as the table of the Glue catalogue; what is an object there as text is JSON here. */
const columns = Object.entries(lakeColumns).map(([name, type]) => [name, duckdbType(name, type)] as const);
const partitions = partitionNames.map((name) => [name, 'varchar'] as const);

function duckdbType(name: string, type: string): string {
  if (type.startsWith('map')) return 'map(varchar, varchar)';
  if (type === 'boolean' || type === 'timestamp') return type;
  return ['properties', 'context', 'traits', 'set_once'].includes(name) ? 'json' : 'varchar';
}

const files = (folder: string): string => `
  select * from read_json(${quoted(`${folder}/**/*.ndjson`)},
    format = 'newline_delimited', hive_partitioning = true, hive_types_autocast = false, maximum_object_size = 1048576,
    columns = {${columns.map(([name, type]) => `${name}: '${type}'`).join(', ')}})`;

const nothing = `
  select ${[...columns, ...partitions].map(([name, type]) => `null::${type} as ${name}`).join(', ')} where false`;
