import { readFileSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
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
  column_index: v.nullish(v.pipe(v.union([v.number(), v.bigint()]), v.transform(Number))),
  data_type_inferred: v.nullish(v.string()),
});

type Read = { readonly json: Buffer | null; readonly warnings: readonly string[] };

/** What the static analysis of dbt 2 wrote beside a manifest, as JSON. Null if there is nothing, or it cannot be read. */
export async function dbtInfoSchema(target: string): Promise<Read> {
  const folder = path.join(target, 'info_schema', 'v1');
  try {
    const lineage = await rowsOf(path.join(folder, 'dbt.column_lineage.parquet'), LineageRow);
    const columns = await rowsOf(path.join(folder, 'dbt.node_columns.parquet'), ColumnRow);
    if (lineage.length === 0) return { json: null, warnings: [] };
    const column_lineage = Object.groupBy(lineage, (row) => row.child_node_unique_id);
    return { json: Buffer.from(JSON.stringify({ column_lineage, node_columns: analysed(columns) })), warnings: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { json: null, warnings: [`${folder} is left out, columns come from the compiled code only: ${why}`] };
  }
}

/** In the order of their texts: dbt's may change, and the same content must be the same delivery. */
async function rowsOf<Row extends v.GenericSchema>(place: string, schema: Row): Promise<v.InferOutput<Row>[]> {
  if (!isFile(place)) return [];
  // A default import: Node before 22.15 has no such function.
  const { zstdDecompressSync: unpacked } = zlib;
  if (typeof unpacked !== 'function')
    throw new Fault('zstd_missing', 'dbt compresses it by zstd, for which Node 22.15 is needed.');
  const { parquetReadObjects } = await import('hyparquet');
  const file = new Uint8Array(readFileSync(place)).buffer;
  const rows = await parquetReadObjects({ file, compressors: { ZSTD: (input) => unpacked(input) } });
  const byText = new Map(v.parse(v.array(schema), rows).map((row) => [JSON.stringify(row), row]));
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
}

/** Of nodes whose columns all have a type that dbt inferred: of others it knows only the documented ones. */
function analysed(rows: readonly v.InferOutput<typeof ColumnRow>[]) {
  const groups = Object.entries(Object.groupBy(rows, (row) => row.node_unique_id));
  const whole = groups.filter(([, found = []]) => found.every((row) => row.data_type_inferred));
  return Object.fromEntries(
    whole.map(([id, found = []]) => {
      const columns = found.map(({ column_name: name, column_index, data_type_inferred: type }) => [
        name,
        { name, index: column_index ?? 0, type },
      ]);
      return [id, { columns: Object.fromEntries(columns) }];
    }),
  );
}
