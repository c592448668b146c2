export type SqlDialect =
  | 'ansi'
  | 'athena'
  | 'bigquery'
  | 'clickhouse'
  | 'databricks'
  | 'duckdb'
  | 'fabric'
  | 'hive'
  | 'mysql'
  | 'oracle'
  | 'postgres'
  | 'presto'
  | 'redshift'
  | 'snowflake'
  | 'spark'
  | 'sqlite'
  | 'trino'
  | 'tsql';

/** The dialect that a tool's adapter, a project or a connector names; null if the name says nothing of the dialect. */
export const dialectNamed = (name: string): SqlDialect | null => dialectsByName.get(name.toLowerCase()) ?? null;

const dialectsByName: ReadonlyMap<string, SqlDialect> = new Map([
  ['athena', 'athena'],
  ['bigquery', 'bigquery'],
  ['clickhouse', 'clickhouse'],
  ['databricks', 'databricks'],
  ['duckdb', 'duckdb'],
  ['motherduck', 'duckdb'],
  ['fabric', 'fabric'],
  ['hive', 'hive'],
  ['impala', 'hive'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['tidb', 'mysql'],
  ['doris', 'mysql'],
  ['starrocks', 'mysql'],
  ['singlestore', 'mysql'],
  ['oracle', 'oracle'],
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
  ['alloydb', 'postgres'],
  ['cockroachdb', 'postgres'],
  ['materialize', 'postgres'],
  ['risingwave', 'postgres'],
  ['greenplum', 'postgres'],
  ['presto', 'presto'],
  ['redshift', 'redshift'],
  ['snowflake', 'snowflake'],
  ['spark', 'spark'],
  ['fabricspark', 'spark'],
  ['glue', 'spark'],
  ['sqlite', 'sqlite'],
  ['trino', 'trino'],
  ['starburst', 'trino'],
  ['tsql', 'tsql'],
  ['sqlserver', 'tsql'],
  ['synapse', 'tsql'],
]);
