import type { SqlDialect } from './dialect.ts';
import type { SqlName } from './types.ts';

const byDialect: Partial<Record<SqlDialect, ReadonlySet<string>>> = {
  bigquery: new Set(['_file_name', '_partitiondate', '_partitiontime', '_table_suffix']),
  duckdb: new Set(['rowid']),
  hive: new Set(['block__offset__inside__file', 'grouping__id', 'input__file__name']),
  oracle: new Set(['currval', 'nextval', 'ora_rowscn', 'rowid', 'rownum', 'uid', 'user']),
  postgres: new Set(['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin']),
  snowflake: new Set([
    'nextval',
    ...['action', 'filename', 'file_row_number', 'isupdate', 'row_id', 'start_scan_time'].map(
      (name) => `metadata$${name}`,
    ),
  ]),
};

/** Whether a name is that of a column that the database itself gives to every relation, or to a sequence. */
export function isPseudoColumn(dialect: SqlDialect, name: SqlName | undefined): boolean {
  return name !== undefined && !name.quoted && byDialect[dialect]?.has(name.text.toLowerCase()) === true;
}
