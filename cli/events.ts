import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { registry } from '../shared/adapters/dynamodb/registry/registry.ts';
import type { Bucket } from '../shared/adapters/s3/bucket.ts';
import { Problem } from '../shared/contract/problems.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { storeFailure, workspaceOf } from './admin/command.ts';
import { type Connection, connect } from './connect.ts';
import { QueryRefused, queryRows, writeViews } from './events/query-rows.ts';
import { followedLines, storedLines } from './events/stored-lines.ts';
import { type Unstored, waitUntilStored } from './events/wait-until-stored.ts';
import { CommandError, exitCodes, UsageError } from './outcome.ts';
import { deploymentOf } from './settings/credentials-file.ts';
import { exitOnClosedPipe, printable, printableJsonText } from './terminal/terminal.ts';

const usage = `npm run events -- [--credentials FILE | --tenant NAME] --workspace ID|NAME [--sql "select …" | --follow | --view FOLDER] [--wait]
              [--allow-files]

Prints the stored events of a workspace as NDJSON, oldest received_at first, once every event that was accepted
before the call is stored.

  --credentials  what a local service wrote (default: TRIBUTARY_CREDENTIALS, else .local/credentials.json)
  --workspace    whose events (default: TRIBUTARY_WORKSPACE)
  --sql          prints the rows of a query instead: over events, people, sessions and events_by_day, in UTC
  --view         writes the events into a folder, with these views in a DuckDB file that a BI tool opens; repeat to refresh
  --follow       goes on with what is stored later and was received in the last two hours, until it is interrupted
  --wait         waits for as long as accepted events are not stored, also those that failed and must be sent again
  --allow-files  lets the query read and write files of this machine

Exit codes: 0 done; 2 the command or its SQL is wrong; 3 no such workspace; 5 accepted events are missing in what was
printed, or the stores cannot be reached.
`;

async function run(args: readonly string[]): Promise<number> {
  try {
    const values = optionsOf(args);
    if (values.help) return print(usage, 0);
    const workspace = values.workspace ?? (process.env['TRIBUTARY_WORKSPACE'] || undefined);
    if (workspace === undefined) throw new UsageError('Choose a workspace: pass --workspace ID or NAME.');
    if ([values.follow, values.sql !== undefined, values.view !== undefined].filter(Boolean).length > 1)
      throw new UsageError('Give one of --sql, --follow and --view.');
    return await printEvents(values, workspace);
  } catch (error) {
    return printFailure(storeFailure(error));
  }
}

type Values = ReturnType<typeof optionsOf>;

const optionsOf = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      credentials: { type: 'string' },
      tenant: { type: 'string' },
      workspace: { type: 'string' },
      sql: { type: 'string' },
      follow: { type: 'boolean', default: false },
      view: { type: 'string' },
      wait: { type: 'boolean', default: false },
      'allow-files': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;

function print(text: string, code: number): number {
  process.stderr.write(text);
  return code;
}

async function printEvents(values: Values, named: string): Promise<number> {
  const connection = await connect(
    deploymentOf(values, {
      env: process.env,
      folder: process.cwd(),
      checkout: path.resolve(import.meta.dirname, '..'),
    }),
  );
  const { id: workspace } = await workspaceOf(registry(connection.table), named);
  const unstored = await waitUntilStored(connection, { forAll: values.wait });
  const lines = linesOf(values, workspace, connection);
  exitOnClosedPipe();
  for await (const line of lines)
    if (!process.stdout.write(`${printableJsonText(line)}\n`)) await once(process.stdout, 'drain');
  return reportUnstored(unstored, connection);
}

function linesOf(values: Values, workspace: string, connection: Connection): AsyncIterable<string> {
  const { lakeBucket: bucket, local } = connection;
  const { sql, follow, view, 'allow-files': allowFiles } = values;
  if (view !== undefined) return viewLine(bucket, workspace, view);
  if (sql !== undefined) return queryRows(bucket, { workspace, sql, allowFiles });
  const everyMs = local ? 500 : 5_000;
  return follow ? followedLines(bucket, workspace, { clock: systemClock, everyMs }) : storedLines(bucket, workspace);
}

async function* viewLine(bucket: Bucket, workspace: string, folder: string): AsyncGenerator<string> {
  const database = await writeViews(bucket, workspace, folder);
  yield JSON.stringify({ database, views: ['events', 'people', 'sessions', 'events_by_day'] });
}

/** Says what the printed rows cannot hold, so that nobody takes them for all that was accepted. */
function reportUnstored({ queued, deadLetters }: Unstored, { local }: Connection): number {
  if (queued + deadLetters === 0) return 0;
  const repeated = local
    ? 'They are retried when the service starts, or by: npm run tributary -- admin redrive events --credentials FILE'
    : 'Retry them: tributary admin redrive events --tenant NAME';
  const lines = [
    'Accepted events are missing above (batches of all workspaces are counted).',
    ...(queued > 0 ? [`${queued} batches wait to be stored: ask again, or with --wait.`] : []),
    ...(deadLetters > 0 ? [`${deadLetters} batches could not be stored. ${repeated}`] : []),
  ];
  return print(`${lines.join('\n')}\n`, exitCodes.unavailable);
}

function printFailure(error: unknown): number {
  const message = error instanceof Error ? error.message || error.name : String(error);
  const hints = error instanceof CommandError ? error.hints : [];
  const lines = [...message.split('\n'), ...hints.map((hint) => `  ${hint}`)];
  return print(`${lines.map(printable).join('\n')}\n`, exitCodeOf(error));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof QueryRefused || isOptionError(error)) return exitCodes.usage;
  return error instanceof Problem && error.code === 'not_found' ? exitCodes.notFound : exitCodes.unavailable;
}

/** Node's errors for options that it cannot parse. */
const isOptionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

process.exitCode = await run(process.argv.slice(2));
