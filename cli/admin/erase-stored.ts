import { setTimeout as after } from 'node:timers/promises';
import {
  AthenaClient,
  type AthenaError,
  GetQueryExecutionCommand,
  paginateGetQueryResults,
  StartQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { shapeStore } from '../../shared/adapters/dynamodb/events/event-shapes.ts';
import { lakeLease } from '../../shared/adapters/dynamodb/registry/rate-buckets.ts';
import { erasableObjects } from '../../shared/adapters/s3/event-lake.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { icebergTables, landingDay } from '../../shared/contract/lake.ts';
import {
  type DayOfRows,
  type ErasableTables,
  eraseWithAudit,
  linksOf,
} from '../../shared/domain/events/erase/erase-user.ts';
import type { Person } from '../../shared/domain/events/erase/person.ts';
import { suppressPerson } from '../../shared/domain/events/erase/suppress-person.ts';
import { forgetName } from '../../shared/domain/events/shapes/note-shapes.ts';
import { randomId } from '../../shared/domain/workspaces/access/records.ts';
import type { Connection } from '../connect.ts';
import { waitUntilStored } from '../events/wait-until-stored.ts';
import { CommandError, exitCodes } from '../outcome.ts';
import { printable } from '../terminal/terminal.ts';
import type { AdminContext } from './open-registry.ts';

/** Firehose tries for two hours: what was accepted before the call may still land in a table. */
const deliveredWithinMs = 2 * 3_600_000;
/** A process may read its keys half a minute late, and may then be in the middle of a request. */
const suppressedWithinMs = 60_000;

/**
 * Removes a person's events that were accepted before the call, those under anonymous ids that only they have too, and names of
 * fields that hold the id; answers how many batches it could not wait for. A dry run only says what there is.
 */
export async function eraseStored(
  { ports, connection }: AdminContext,
  workspace: WorkspaceId,
  named: Person,
  { dryRun, suppress }: { readonly dryRun: boolean; readonly suppress: boolean },
) {
  const { queued, deadLetters } = await waitUntilStored(connection, { forAll: false });
  const { lakeBucket, eventTable, sqs, names } = connection;
  const objects = erasableObjects(lakeBucket, workspace);
  const links = await linksOf(objects, named);
  if (dryRun) return { dry_run: true, ...links, not_stored_yet: queued + deadLetters };
  const person = { ...named, linked: new Set(links.anonymous_ids) };
  // Before the rows go: they link the anonymous ids.
  const suppression = suppress ? await suppressPerson(ports, workspace, person) : null;
  const erasing = {
    ...objects,
    clock: ports.clock,
    lease: lakeLease(eventTable, `${ports.actor} ${randomId(ports)}`),
  };
  const tables = connection.iceberg && erasableTables(connection.iceberg, workspace);
  const erased = await eraseWithAudit({ ...ports, erasing, tables }, workspace, person);
  const forgetting = {
    shapes: shapeStore(eventTable),
    queue: projectionQueue({ client: sqs, url: names.projection_queue_url }),
  };
  const againAfterMs = tables ? deliveredWithinMs : suppressedWithinMs;
  const projects = await ports.registry.collectionProjects.list(workspace);
  let shapes = 0;
  for (const { id: project_id } of projects)
    if (await forgetName(forgetting, { workspace_id: workspace, project_id }, person.id)) shapes++;
  return {
    ...erased,
    ...links,
    rows: erased.rows,
    projects_with_the_id_in_names: shapes,
    not_stored_yet: queued + deadLetters,
    ...(suppression && { suppressed: true, suppressed_anonymous_ids: suppression.linked.length }),
    ...((tables || suppress) && { again_after: new Date(ports.clock.now().getTime() + againAfterMs).toISOString() }),
    ...(connection.local && {
      iceberg: 'not looked at: a local service has no Athena, and stores all events in the lake',
    }),
  };
}

type Place = NonNullable<Connection['iceberg']>;
type Table = keyof typeof icebergTables;
type Days = { readonly first: string; readonly last: string };

/** The Iceberg tables of a tenant, whose rows Athena finds and deletes. Rows land, and are merged into the other table. */
export function erasableTables(place: Place, workspace: WorkspaceId, client = new AthenaClient({})): ErasableTables {
  const run = (statement: string) => runToEnd(client, place, statement);
  const rowsIn = async (table: Table, person: Person): Promise<readonly DayOfRows[]> =>
    (await rowsOf(client, await run(findStatement(table, workspace, person)))).map(([day = '', rows]) => ({
      table,
      day,
      rows: Number(rows),
    }));
  return {
    find: async (person) => [...(await rowsIn('landing', person)), ...(await rowsIn('events', person))],
    remove: async (person, table, days) => {
      await run(removeStatement(table === 'landing' ? table : 'events', workspace, person, days));
    },
  };
}

const literal = (text: string): string => `'${text.toWellFormed().replaceAll("'", "''")}'`;

const ofPerson = (workspace: WorkspaceId, { column, id }: Person): string =>
  `"workspace_id" = ${literal(workspace)} AND "${column}" = ${literal(id)}`;

const dayIn: Readonly<Record<Table, string>> = {
  landing: `"${landingDay}"`,
  events: `date_format("received_at", '%Y-%m-%d')`,
};

const findStatement = (table: Table, workspace: WorkspaceId, person: Person): string =>
  `SELECT ${dayIn[table]}, count(*) FROM "${icebergTables[table]}" WHERE ${ofPerson(workspace, person)} GROUP BY 1 ORDER BY 1`;

/** Names the partitions, so that Athena opens no others. */
export const removeStatement = (
  table: Table,
  workspace: WorkspaceId,
  person: Person,
  { first, last }: Days,
): string => {
  const partitions =
    table === 'landing'
      ? `"${landingDay}" BETWEEN ${literal(first)} AND ${literal(last)}`
      : `"received_at" >= TIMESTAMP '${first} 00:00:00' AND "received_at" < TIMESTAMP '${last} 00:00:00' + INTERVAL '1' DAY`;
  return `DELETE FROM "${icebergTables[table]}" WHERE ${ofPerson(workspace, person)} AND ${partitions}`;
};

/** Athena refuses the commit of a statement if another one, such as a merge, has changed the table meanwhile. */
const attempts = 4;

async function runToEnd(client: AthenaClient, place: Place, statement: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { id, failure } = await runOnce(client, place, statement);
    if (failure === null) return id;
    if (attempt === attempts || !(failure.Retryable || /COMMIT|CONFLICT/.test(failure.ErrorMessage ?? '')))
      throw failed(`Athena did not run a statement on the tables of ${place.database}.`, failure.ErrorMessage);
    await after(attempt * 1_000);
  }
}

export const statementCall = ({ database, workGroup }: Place, QueryString: string) => ({
  QueryString,
  WorkGroup: workGroup,
  QueryExecutionContext: { Database: database },
});

async function runOnce(client: AthenaClient, place: Place, statement: string) {
  const id = await startOf(client, statementCall(place, statement));
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    const { QueryExecution } = await client.send(new GetQueryExecutionCommand({ QueryExecutionId: id }));
    const { State, StateChangeReason, AthenaError } = QueryExecution?.Status ?? {};
    if (State === 'SUCCEEDED') return { id, failure: null };
    if (State === 'FAILED' || State === 'CANCELLED') {
      const failure: AthenaError = { ErrorMessage: StateChangeReason ?? State, ...AthenaError };
      return { id, failure };
    }
    await after(waitMs);
  }
}

async function startOf(client: AthenaClient, input: StartQueryExecutionCommand['input']): Promise<string> {
  try {
    return (await client.send(new StartQueryExecutionCommand(input))).QueryExecutionId ?? '';
  } catch (error) {
    // It is of the service's stack, which may have been deleted.
    if (error instanceof Error && error.name === 'InvalidRequestException')
      throw failed(`Athena does not take statements for the workgroup ${input.WorkGroup}.`, error.message);
    throw error;
  }
}

const failed = (message: string, reason = 'Athena gives no reason'): CommandError =>
  new CommandError(exitCodes.unavailable, message, [
    printable(reason),
    'Remove the cause, then run the same command again.',
  ]);

/** Without the first row, which has the names of the columns. */
async function rowsOf(client: AthenaClient, QueryExecutionId: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { ResultSet } of paginateGetQueryResults({ client }, { QueryExecutionId }))
    for (const { Data = [] } of ResultSet?.Rows ?? []) rows.push(Data.map(({ VarCharValue }) => VarCharValue ?? ''));
  return rows.slice(1);
}
