import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openDuckdb, quoted } from '../../cli/duckdb.ts';

type Row = Readonly<Record<string, string | number | null>>;

/**
 * Writes Parquet files in the form of dbt 2's information schema: the columns of its published tables, compressed by zstd.
 * https://docs.getdbt.com/reference/info-schema
 */
export async function writeInfoSchema(
  target: string,
  tables: { readonly column_lineage: readonly Row[]; readonly node_columns: readonly Row[] },
): Promise<void> {
  const folder = path.join(target, 'info_schema', 'v1');
  mkdirSync(folder, { recursive: true });
  const connection = await openDuckdb('the test');
  for (const [name, rows] of Object.entries(tables)) {
    const columns = columnsOf[name] ?? [];
    const values = rows.map((row) => `(${columns.map(([column]) => literal(row[column] ?? null)).join()})`);
    const types = columns.map(([column, type]) => `${column}::${type} as ${column}`);
    const named = `values(${columns.map(([column]) => column).join()})`;
    await connection.run(`copy (select ${types.join()}, now() as ingested_at from (values ${values.join()}) ${named})
      to ${quoted(path.join(folder, `dbt.${name}.parquet`))} (format parquet, compression zstd)`);
  }
  connection.closeSync();
}

const literal = (value: string | number | null) => (typeof value === 'string' ? quoted(value) : String(value));

const columnsOf: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  column_lineage: [
    ['parent_node_unique_id', 'varchar'],
    ['parent_column_name', 'varchar'],
    ['child_node_unique_id', 'varchar'],
    ['child_column_name', 'varchar'],
    ['evolution', 'varchar'],
  ],
  node_columns: [
    ['node_unique_id', 'varchar'],
    ['column_name', 'varchar'],
    ['column_index', 'bigint'],
    ['data_type_declared', 'varchar'],
    ['data_type_inferred', 'varchar'],
  ],
};
