import type { ConnectorKind } from '../../../contract/vocabulary.ts';

/** What settles how a platform's relations are named. Sources: OpenLineage naming.md, sqlglot's normalisation strategies. */
export type Platform = {
  /** The least and the most parts of a complete relation name; null: any. */
  readonly levels: readonly [number, number] | null;
  /** What becomes of a part that is written without quotes. */
  readonly fold: 'lower' | 'upper' | 'keep';
  /** Whether case is ignored even in quotes. */
  readonly foldsQuoted: boolean;
  /** A part that may stand without quotes. */
  readonly plain: RegExp;
  /** Catalogs that a name may leave out: three levels write the first of them, two none (C-IDENTITY-18). */
  readonly implied: readonly string[];
};

const identifier = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

const platform = (levels: Platform['levels'], fold: Platform['fold'], more: Partial<Platform> = {}): Platform => ({
  levels,
  fold,
  foldsQuoted: false,
  plain: identifier,
  implied: [],
  ...more,
});

const three = [3, 3] as const;
const two = [2, 2] as const;
const anyCase = { foldsQuoted: true } as const;
/** The account's own catalog, as Athena names it. */
const glueCatalog = 'awsdatacatalog';

export const platforms = {
  postgres: platform(three, 'lower'),
  crate: platform(three, 'lower'),
  snowflake: platform(three, 'upper'),
  oracle: platform(three, 'upper'),
  db2: platform(three, 'upper'),
  teradata: platform(two, 'upper'),
  redshift: platform(three, 'lower', anyCase),
  mssql: platform(three, 'lower', anyCase),
  trino: platform(three, 'lower', anyCase),
  athena: platform(three, 'lower', { ...anyCase, implied: [glueCatalog] }),
  databricks: platform(three, 'lower', anyCase),
  duckdb: platform(three, 'lower', anyCase),
  dremio: platform(three, 'lower', anyCase),
  /** Without a metastore of catalogs a name has two levels, with one three. */
  spark: platform([2, 3], 'lower', { ...anyCase, implied: ['spark_catalog', glueCatalog] }),
  hive: platform(two, 'lower', { ...anyCase, implied: [glueCatalog] }),
  glue: platform(two, 'lower', { ...anyCase, implied: [glueCatalog] }),
  cassandra: platform(two, 'lower'),
  bigquery: platform(three, 'keep', { plain: /^[\p{L}\p{N}_$*-]+$/u }),
  fabric: platform(three, 'keep'),
  spanner: platform(three, 'keep'),
  mysql: platform(two, 'keep'),
  oceanbase: platform(two, 'keep'),
  clickhouse: platform(two, 'keep'),
  milvus: platform(two, 'keep'),
  azurecosmos: platform(two, 'keep'),
  azurekusto: platform(two, 'keep'),
  other: platform(null, 'keep', { plain: /^[^\s."`[\]]+$/u }),
} as const satisfies Record<string, Platform>;

export type PlatformName = keyof typeof platforms;

const platformOfKind: Readonly<Partial<Record<ConnectorKind, PlatformName>>> = { sqlserver: 'mssql' };

export const isPlatform = (name: string): name is PlatformName => Object.hasOwn(platforms, name);

/** The platform that a connector's kind names: C-IDENTITY-3. */
export const platformOfConnectorKind = (kind: ConnectorKind): Platform => {
  const name = platformOfKind[kind] ?? kind;
  return isPlatform(name) ? platforms[name] : platforms.other;
};

/** Platforms as dbt, SQL dialects and DataHub spell them; one family reads its documents, and shows its first name. */
const families = [
  'postgres postgresql redshift greenplum materialize alloydb cockroachdb risingwave yellowbrick',
  'databricks spark spark2 spark3 sparksql hive glue unity-catalog fabricspark impala',
  'trino presto starburst athena glue',
  'mysql mariadb singlestore tidb starrocks doris',
  'sqlserver mssql tsql synapse fabric azuresql',
  'duckdb motherduck',
  ...['snowflake', 'bigquery', 'oracle', 'clickhouse'],
].map((names) => names.split(' '));

const familiesOf = (platform: string) => families.filter((names) => names.includes(platform));

/** Known platforms if none goes with the connector's kind, in our own names; else null. `other` takes all. */
export function otherPlatforms(kind: ConnectorKind, named: Iterable<string>): readonly string[] | null {
  const known = [...new Set([...named].map((one) => one.trim().toLowerCase()))].filter(
    (one) => familiesOf(one).length > 0,
  );
  if (kind === 'other' || known.length === 0) return null;
  const own = new Set(familiesOf(kind).flat());
  return known.some((one) => own.has(one)) ? null : known.sort();
}
