import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import * as v from 'valibot';
import { connect } from '../../cli/connect.ts';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { type Edge, loadEdges } from '../support/load-oracle.ts';
import { columnEdges, relationEdges } from './projects.ts';
import type { Team } from './team.ts';

const Field = v.object({
  namespace: v.string(),
  name: v.string(),
  field: v.string(),
  transformations: v.optional(v.array(v.object({ type: v.string() })), []),
});
const Dataset = v.object({
  name: v.string(),
  facets: v.optional(
    v.object({
      columnLineage: v.optional(v.object({ fields: v.record(v.string(), v.object({ inputFields: v.array(Field) })) })),
    }),
    {},
  ),
});
const Event = v.object({ inputs: v.optional(v.array(Dataset), []), outputs: v.optional(v.array(Dataset), []) });

type Compared = {
  readonly expected: number;
  readonly found: number;
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
};

/** The whole export of the service, beside the edges that follow from all that was sent. */
export async function graphAtEnd(
  team: Team,
  url: string,
  token: string,
): Promise<Readonly<Record<'relations' | 'columns', Compared>>> {
  const place = new URLSearchParams({ workspace_id: team.workspace, output: 'ndjson' });
  const response = await fetch(`${url}/v1/lineage/export?${place}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the export responded with ${response.status}`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const events = lines.map((line) => v.parse(Event, JSON.parse(line)));
  const projects = team.projects().map(({ now }) => now);
  return {
    relations: compared(
      [...projects.flatMap(relationEdges), ...ofJobs(team, 'datasets')],
      events.flatMap(({ inputs, outputs }) =>
        outputs.flatMap((to) => inputs.map((from): Edge => [from.name, to.name])),
      ),
    ),
    columns: compared(
      [...projects.flatMap(columnEdges), ...ofJobs(team, 'columns')],
      events.flatMap(({ outputs }) => outputs.flatMap(columnsOf)),
    ),
  };
}

const ofJobs = ({ jobs }: Team, of: 'datasets' | 'columns'): readonly Edge[] =>
  loadEdges(jobs, 'w1', of).map(([from, to]): Edge => [`analytics.public.${from}`, `analytics.public.${to}`]);

/** Values that are passed on. What only influences them, such as a join, is not. */
const columnsOf = ({ name, facets }: v.InferOutput<typeof Dataset>): readonly Edge[] =>
  Object.entries(facets.columnLineage?.fields ?? {}).flatMap(([column, { inputFields }]) =>
    inputFields
      .filter(
        ({ transformations }) => transformations.length === 0 || transformations.some(({ type }) => type === 'DIRECT'),
      )
      .map((input): Edge => [`${input.name}.${input.field}`, `${name}.${column}`]),
  );

function compared(expected: readonly Edge[], found: readonly Edge[]): Compared {
  const [told, seen] = [expected, found].map((edges) => new Set(edges.map(([from, to]) => `${from} -> ${to}`)));
  return {
    expected: told?.size ?? 0,
    found: seen?.size ?? 0,
    missing: [...(told ?? [])].filter((edge) => !seen?.has(edge)).sort(),
    foreign: [...(seen ?? [])].filter((edge) => !told?.has(edge)).sort(),
  };
}

/** What DuckDB counts in the lake, beside the ids that were accepted. */
export async function lakeAtEnd(team: Team, file: string) {
  const { s3, names } = await connect({ credentials: file });
  const folder = await mkdtemp(path.join(tmpdir(), 'week-lake-'));
  try {
    const [rows, sent] = ['rows', 'sent'].map((name) => path.join(folder, `${name}.ndjson`)) as [string, string];
    await write(rows, storedLines({ client: s3, name: names.lake_bucket }, team.workspace));
    await write(
      sent,
      [...team.eventIds].map((id) => JSON.stringify({ id })),
    );
    const connection = await (await DuckDBInstance.create()).connect();
    const table = (of: string) => `read_json('${of}', format = 'newline_delimited', columns = { id: 'varchar' })`;
    const counts = await connection.runAndReadAll(`
      with stored as (from ${table(rows)}), sent as (from ${table(sent)})
      select (select count(*) from sent)::integer as sent,
        (select count(*) from stored)::integer as stored,
        (select count(*) - count(distinct id) from stored)::integer as doubled,
        (select count(*) from sent anti join stored using (id))::integer as lost,
        (select count(*) from stored anti join sent using (id))::integer as foreign_rows`);
    return v.parse(Lake, counts.getRowObjectsJson()[0]);
  } finally {
    s3.destroy();
    await rm(folder, { recursive: true });
  }
}

const Lake = v.object({
  sent: v.number(),
  stored: v.number(),
  doubled: v.number(),
  lost: v.number(),
  foreign_rows: v.number(),
});

async function write(file: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const stream = createWriteStream(file);
  for await (const line of lines) stream.write(`${line.trimEnd()}\n`);
  stream.end();
  await finished(stream);
}
