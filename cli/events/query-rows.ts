import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { readStoredObject, storedObjects } from '../../shared/adapters/s3/event-lake.ts';
import { lakeColumns, partitionNames, type StoredObject } from '../../shared/contract/lake.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { linesOf } from '../../shared/domain/events/store/store-batches.ts';
import { openDuckdb, quoted } from '../duckdb.ts';

const objectsInFlight = 16;

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
    const objects = await downloadAll(bucket, query.workspace, folder);
    const connection = await connectionTo(folder, { isEmpty: objects === 0, ...query });
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

/** A database whose only table is `events`, and which opens no other file than those of the folder. */
async function connectionTo(folder: string, { isEmpty, allowFiles }: { isEmpty: boolean; allowFiles: boolean }) {
  const connection = await openDuckdb('--sql');
  if (!allowFiles) {
    await connection.run(`set allowed_directories = [${quoted(`${folder}${path.sep}`)}]`);
    await connection.run('set enable_external_access = false');
  }
  await connection.run(`create view events as ${isEmpty ? nothing : files(folder)}`);
  await connection.run('set lock_configuration = true');
  return connection;
}

async function downloadAll(bucket: Bucket, workspace: string, folder: string): Promise<number> {
  for (;;) {
    const objects = await storedObjects(bucket, workspace);
    const found = await inParallel(objectsInFlight, objects, (object) => download(bucket, object, folder));
    if (!found.includes(false)) return objects.length;
    // One was compacted since it was listed.
    for (const entry of await readdir(folder)) await rm(path.join(folder, entry), { recursive: true });
  }
}

/** Unpacks an object under its partition, whose form the key restricts. False if the object is gone. */
async function download(bucket: Bucket, object: StoredObject, folder: string): Promise<boolean> {
  const bytes = await readStoredObject(bucket, object);
  if (bytes === null) return false;
  const file = path.join(folder, object.partition, `${'runId' in object ? object.runId : object.first}.ndjson`);
  await mkdir(path.dirname(file), { recursive: true });
  await pipeline(readableLines(object, bytes), createWriteStream(file));
  return true;
}

function* readableLines(object: StoredObject, bytes: Uint8Array): Generator<string> {
  for (const line of linesOf(object, bytes))
    yield `${line.replaceAll(escapeSequence, (one) => (one.length > 2 ? '\\ufffd' : one))}\n`;
}

/** A half of a character, which JSON may hold and DuckDB refuses; JSON.stringify escapes no whole one. */
const escapeSequence = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|[\s\S])/g;

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
