import type { ConnectorKind } from '../../contract/vocabulary.ts';

/**
 * Names of platforms as dbt's adapters, SQL dialects and DataHub spell them, by families: two kinds of one family read
 * each other's documents. The first name of a family is the one that people are told.
 */
const families: readonly (readonly string[])[] = [
  [
    'postgres',
    'postgresql',
    'redshift',
    'greenplum',
    'materialize',
    'alloydb',
    'cockroachdb',
    'risingwave',
    'yellowbrick',
  ],
  ['databricks', 'spark', 'spark2', 'spark3', 'sparksql', 'hive', 'glue', 'unity-catalog', 'fabricspark', 'impala'],
  ['trino', 'presto', 'starburst', 'athena', 'glue'],
  ['mysql', 'mariadb', 'singlestore', 'tidb', 'starrocks', 'doris'],
  ['sqlserver', 'mssql', 'tsql', 'synapse', 'fabric', 'azuresql'],
  ['duckdb', 'motherduck'],
  ['snowflake'],
  ['bigquery'],
  ['oracle'],
  ['clickhouse'],
];

const familiesOf = (platform: string) => families.filter((names) => names.includes(platform));

/**
 * The platforms that a document tells, if they are known and none of them goes with the kind of a connector; null if one
 * does, or nothing is known. A connector of the kind `other` takes every document.
 *
 * @returns names of our own tables, never a text of the document
 */
export function otherPlatforms(kind: ConnectorKind, told: Iterable<string>): readonly string[] | null {
  const known = [...new Set([...told].map((one) => one.trim().toLowerCase()))].filter(
    (one) => familiesOf(one).length > 0,
  );
  if (kind === 'other' || known.length === 0) return null;
  const own = new Set(familiesOf(kind).flat());
  return known.some((one) => own.has(one)) ? null : known.sort();
}
