import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { quoted } from '../duckdb.ts';
import { CommandError, exitCodes } from '../outcome.ts';
import { downloadEvents, openViews } from './local-lake.ts';

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
