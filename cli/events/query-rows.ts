import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { readStoredObject, storedObjects } from '../../shared/adapters/s3/stored-events.ts';
import { lakeColumns, partitionNames } from '../../shared/contract/lake.ts';
import { inParallel } from '../../shared/domain/in-parallel.ts';

const objectsAtOnce = 16;

/** The rows that DuckDB answers to a query over the stored events of a workspace, as JSON text. */
export async function* queryRows(bucket: Bucket, workspace: string, sql: string): AsyncGenerator<string> {
  const { DuckDBInstance } = await duckdb();
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-events-'));
  try {
    const keys = await storedObjects(bucket, workspace);
    await inParallel(objectsAtOnce, keys, (key) => download(bucket, key, folder));
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`create view events as ${keys.length > 0 ? files(folder) : nothing}`);
    const result = await connection.stream(`select to_json(answer) from (${sql.replace(/;\s*$/, '')}\n) as answer`);
    for await (const rows of result.yieldRows()) for (const [row] of rows) yield String(row);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function duckdb() {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    throw new Error('--sql needs the optional package @duckdb/node-api: npm install @duckdb/node-api', { cause });
  }
}

/** Unpacked, under the partitions of its key. */
async function download(bucket: Bucket, key: string, folder: string): Promise<void> {
  const file = path.join(folder, key.replace(/\.gz$/, ''));
  await mkdir(path.dirname(file), { recursive: true });
  const text = gunzipSync(await readStoredObject(bucket, key)).toString('utf8');
  await writeFile(file, text.replaceAll(loneSurrogate, '$1\\ufffd'));
}

/** A half of a character, which JSON may hold and DuckDB refuses; JSON.stringify escapes no whole one. */
const loneSurrogate = /((?<!\\)(?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** The same names and types as the table of the Glue catalogue; what is an object there as text is JSON here. */
const columns = Object.entries(lakeColumns).map(([name, type]) => [name, duckdbType(name, type)] as const);
const partitions = partitionNames.map((name) => [name, 'varchar'] as const);

function duckdbType(name: string, type: string): string {
  if (type.startsWith('map')) return 'map(varchar, varchar)';
  if (type === 'boolean') return 'boolean';
  return ['properties', 'context', 'traits', 'set_once'].includes(name) ? 'json' : 'varchar';
}

const files = (folder: string): string => `
  select * from read_json('${folder.replaceAll("'", "''")}/**/*.ndjson',
    format = 'newline_delimited', hive_partitioning = true, hive_types_autocast = false, maximum_object_size = 1048576,
    columns = {${columns.map(([name, type]) => `${name}: '${type}'`).join(', ')}})`;

const nothing = `
  select ${[...columns, ...partitions].map(([name, type]) => `null::${type} as ${name}`).join(', ')} where false`;
