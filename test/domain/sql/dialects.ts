import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';

const all: Readonly<Record<SqlDialect, true>> = {
  ansi: true,
  athena: true,
  bigquery: true,
  clickhouse: true,
  databricks: true,
  duckdb: true,
  fabric: true,
  hive: true,
  mysql: true,
  oracle: true,
  postgres: true,
  presto: true,
  redshift: true,
  snowflake: true,
  spark: true,
  sqlite: true,
  trino: true,
  tsql: true,
};

/** Every dialect whose name rules are known. */
export const dialects = Object.keys(all) as readonly SqlDialect[];
