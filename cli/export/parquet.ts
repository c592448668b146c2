import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { columnsKey } from '../../shared/domain/lineage/sources/openlineage/facets.ts';
import { unresolvedKey } from '../../shared/domain/lineage/sources/openlineage/open-columns.ts';
import { openDuckdb, quoted } from '../duckdb.ts';

/** Rows by table. */
export type Written = Readonly<Record<string, number>>;

/**
 * Writes the graph in the lines of an export as Parquet files into a folder, a file a table. The folder has another name
 * until it is whole, so that it is never half an export.
 *
 * @throws if the folder exists or cannot be made
 */
export async function writeParquet(lines: AsyncIterable<string>, folder: string): Promise<Written> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  try {
    const written = await writeTables(lines, unfinished);
    await rename(unfinished, folder);
    return written;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeTables(lines: AsyncIterable<string>, folder: string): Promise<Written> {
  const events = path.join(folder, 'events.ndjson');
  const connection = await openDuckdb('--format parquet');
  try {
    await pipeline(withLineEnds(lines), createWriteStream(events));
    await connection.run(`set temp_directory = ${quoted(folder)}; ${viewsOf(events)}`);
    const written: Record<string, number> = {};
    for (const table of tables) {
      const file = quoted(path.join(folder, `${table}.parquet`));
      const [[count] = []] = (await connection.runAndReadAll(`copy (from ${table} order by all) to ${file}`)).getRows();
      written[table] = Number(count);
    }
    return written;
  } finally {
    connection.closeSync();
    await rm(events, { force: true });
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

const tables = ['nodes', 'columns', 'edges', 'column_edges', 'evidence'] as const;

const names = 'namespace varchar, name varchar';
const list = 'struct(fields struct(name varchar, type varchar)[])';
const lists = `"schema" ${list}, ${columnsKey} ${list}`;
const source = `struct(${names}, field varchar,
  transformations struct(type varchar, subtype varchar, masking boolean, description varchar)[])`;
const outputFacets = `${lists}, ${unresolvedKey} struct(inputs struct(${names}, reason varchar)[]),
  "columnLineage" struct(fields map(varchar, struct("inputFields" ${source}[])), dataset ${source}[])`;

/** The parts of an exported event that the tables need, as types of DuckDB. */
const columns = {
  job: `struct(${names})`,
  dataset: `struct(${names}, facets struct(${lists}))`,
  inputs: `struct(${names}, facets struct(${lists}))[]`,
  outputs: `struct(${names}, facets struct(${outputFacets}))[]`,
};

/** An event of many columns is one long line: DuckDB takes no longer ones than this. */
const longestLine = 128 * 1024 * 1024;

/** The tables as views. An id is the version 8 UUID of a name's digest, so it is the same in every export. */
const viewsOf = (events: string): string => `
create macro uuid_of(digest) as concat(digest[1:8], '-', digest[9:12], '-8', digest[14:16], '-',
  translate(digest[17], '0123456789abcdef', '89ab89ab89ab89ab'), digest[18:20], '-', digest[21:32]);
create macro id_of(namespace, name) as uuid_of(sha256(to_json([namespace, name])::varchar));
create view events as from read_json(${quoted(events)}, format = 'newline_delimited',
  maximum_object_size = ${longestLine},
  columns = {${Object.entries(columns).map(([name, type]) => `${name}: ${quoted(type)}`)}});
create view outputs as select job, inputs, unnest(outputs) as output from events;
create view datasets as
  select dataset.namespace, dataset.name, dataset.facets.schema.fields as whole, dataset.facets.${columnsKey}.fields as part
  from (select unnest(inputs) as dataset from events union all select dataset from events where dataset is not null)
  union all
  select output.namespace, output.name, output.facets.schema.fields, output.facets.${columnsKey}.fields from outputs;
create view nodes as
  select id_of(namespace, name) as id, namespace, name,
    case when any_value(whole) is not null then true when any_value(part) is not null then false end as columns_complete
  from datasets group by namespace, name;
create view columns as
  select id_of(namespace, name) as node_id, field.name, field.type, position
  from (
    select namespace, name, unnest(fields) as field, (generate_subscripts(fields, 1) - 1)::int as position
    from (select namespace, name, coalesce(any_value(whole), any_value(part)) as fields from datasets group by all)
  );
create view evidence as
  select id_of(input.namespace, input.name) as src, id_of(output.namespace, output.name) as dst, job.namespace as job_namespace, job.name as job_name,
    nullif(array_to_string(list_sort(list_distinct(
      [doubt.reason for doubt in doubts if doubt.namespace = input.namespace and doubt.name = input.name]
    )), '; '), '') as unresolved
  from (
    select job, unnest(inputs) as input, output,
      coalesce(output.facets.${unresolvedKey}.inputs, []) as doubts
    from outputs
  );
create view edges as
  select src, dst, count(*)::int as statements, bool_or(unresolved is not null) as unresolved from evidence group by src, dst;
create view sources as
  select job, output.namespace, output.name, entry.key as dst_column, unnest(entry.value.inputFields) as source
  from (select job, output, unnest(map_entries(output.facets.columnLineage.fields)) as entry from outputs)
  union all
  select job, output.namespace, output.name, null, unnest(output.facets.columnLineage.dataset) from outputs;
create view column_edges as
  select id_of(source.namespace, source.name) as src, source.field as src_column, id_of(namespace, name) as dst, dst_column,
    way.type, way.subtype, way.masking, way.description as expression,
    job.namespace as job_namespace, job.name as job_name
  from (select *, unnest(if(len(source.transformations) > 0, source.transformations, [null])) as way from sources);
`;
