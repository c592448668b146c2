/** The dialects, each with the names of tools' adapters and databases that use it. */
const databases = {
  ansi: '',
  athena: 'athena',
  bigquery: 'bigquery',
  clickhouse: 'clickhouse',
  databricks: 'databricks',
  duckdb: 'duckdb motherduck',
  fabric: 'fabric',
  hive: 'hive impala',
  mysql: 'mysql mariadb tidb doris starrocks singlestore',
  oracle: 'oracle',
  postgres: 'postgres postgresql alloydb cockroachdb materialize risingwave greenplum',
  presto: 'presto',
  redshift: 'redshift',
  snowflake: 'snowflake',
  spark: 'spark fabricspark glue',
  sqlite: 'sqlite',
  trino: 'trino starburst',
  tsql: 'tsql sqlserver synapse',
} as const;

export type SqlDialect = keyof typeof databases;

/** SQL Server's dialect. */
export const isTsql = (dialect: SqlDialect): boolean => dialect === 'tsql' || dialect === 'fabric';

/** Trino's dialects, which name a column without a name by its place. */
export const namesByPlace: ReadonlySet<SqlDialect> = new Set(['athena', 'presto', 'trino']);

const dialectsByName: ReadonlyMap<string, SqlDialect> = new Map(
  (Object.keys(databases) as SqlDialect[]).flatMap((dialect) => {
    const names = databases[dialect].split(' ').filter((name) => name !== '');
    return names.map((name) => [name, dialect] as const);
  }),
);

/** The dialect that a tool's adapter, a project or a connector names; null if the name says nothing of the dialect. */
export const dialectNamed = (name: string): SqlDialect | null => dialectsByName.get(name.toLowerCase()) ?? null;
