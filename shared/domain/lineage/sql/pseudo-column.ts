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

/** Functions of the standard that are called without brackets. */
const standardWords =
  'current_catalog current_date current_path current_role current_schema current_time current_timestamp current_user localtime localtimestamp session_user system_user';

const callsByDialect: Partial<Record<SqlDialect, string>> = {
  bigquery: 'current_datetime',
  fabric: 'user',
  mysql: 'utc_date utc_time utc_timestamp',
  oracle: 'dbtimezone sessiontimezone sysdate systimestamp user',
  postgres: 'user',
  redshift: 'sysdate user',
  tsql: 'user',
};

/** Whether a name without brackets calls a function, unless a relation has a column of that name. */
export function isCallWithoutBrackets(dialect: SqlDialect, name: SqlName): boolean {
  if (name.quoted) return false;
  const own = dialect === 'ansi' ? Object.values(callsByDialect).join(' ') : (callsByDialect[dialect] ?? '');
  return `${standardWords} ${own}`.split(' ').includes(name.text.toLowerCase());
}
