import { readFileSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import * as v from 'valibot';
import { isFile } from '../files.ts';

const LineageRow = v.object({
  child_node_unique_id: v.string(),
  child_column_name: v.nullish(v.string()),
  parent_node_unique_id: v.string(),
  parent_column_name: v.string(),
  evolution: v.string(),
});
const ColumnRow = v.object({
  node_unique_id: v.string(),
  column_name: v.string(),
  column_index: v.nullish(v.union([v.number(), v.bigint()])),
  data_type_inferred: v.nullish(v.string()),
});

/** What the static analysis of dbt 2 wrote beside a manifest, as JSON. Null if there is nothing, or it cannot be read. */
export async function dbtInfoSchema(
  target: string,
): Promise<{ readonly json: Buffer | null; readonly warnings: string[] }> {
  const folder = path.join(target, 'info_schema', 'v1');
  const lineage = path.join(folder, 'dbt.column_lineage.parquet');
  if (!isFile(lineage)) return { json: null, warnings: [] };
  try {
    const rows = await rowsOf(lineage, LineageRow);
    const columns = await rowsOf(path.join(folder, 'dbt.node_columns.parquet'), ColumnRow);
    const info = { column_lineage: byNode(rows), node_columns: analysedColumns(columns) };
    return { json: Buffer.from(JSON.stringify(info)), warnings: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { json: null, warnings: [`${folder} is left out, columns come from the compiled code only: ${why}`] };
  }
}

async function rowsOf<Row extends v.GenericSchema>(place: string, schema: Row): Promise<v.InferOutput<Row>[]> {
  if (!isFile(place)) return [];
  // A default import: Node before 22.15 has no such function.
  const { zstdDecompressSync: unpacked } = zlib;
  if (typeof unpacked !== 'function') throw new Error('dbt compresses it by zstd, for which Node 22.15 is needed.');
  const { parquetReadObjects } = await import('hyparquet');
  const file = new Uint8Array(readFileSync(place)).buffer;
  return v.parse(
    v.array(schema),
    await parquetReadObjects({ file, compressors: { ZSTD: (input) => unpacked(input) } }),
  );
}

/** Sorted: dbt's order may change, and the same content must be the same delivery. */
function byNode(rows: readonly v.InferOutput<typeof LineageRow>[]) {
  const sorted = rows.map((row) => [JSON.stringify(row), row] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const groups = Object.groupBy(sorted, ([, { child_node_unique_id }]) => child_node_unique_id);
  return Object.fromEntries(
    Object.entries(groups).map(([id, found = []]) => [id, found.map(([, { child_node_unique_id: _, ...row }]) => row)]),
  );
}

/** Of nodes whose columns all have a type that dbt inferred: of others it knows only the documented ones. */
function analysedColumns(rows: readonly v.InferOutput<typeof ColumnRow>[]) {
  const groups = Object.entries(Object.groupBy(rows, ({ node_unique_id }) => node_unique_id));
  const whole = groups.filter(([, found = []]) => found.every(({ data_type_inferred }) => data_type_inferred));
  return Object.fromEntries(
    whole.map(([id, found = []]) => [
      id,
      {
        columns: Object.fromEntries(
          found.map(({ column_name: name, column_index, data_type_inferred: type }) => [
            name,
            { name, index: Number(column_index ?? 0), type },
          ]),
        ),
      },
    ]),
  );
}
