import { withoutTrailing } from '../../../contract/fields.ts';
import type { Node } from '../graph/node.ts';
import { wholePath } from './parts.ts';
import { isPlatform, type Platform, type PlatformName, platforms } from './platforms.ts';

/** How a dataset's name is built under a namespace; OpenLineage naming.md. */
type NameStyle = 'dotted' | 'glue' | 'cosmos' | 'kusto' | 'path' | 'object' | 'topic';

export type Namespace = {
  /** Null where the namespace is free text, which says nothing of the platform. */
  readonly platform: string | null;
  /** Null where the platform has no relations of several parts. */
  readonly naming: Platform | null;
  readonly style: NameStyle;
  /** The one spelling of the platform's instance. */
  readonly instance: string;
  /** The part of the path that belongs to the names, such as Cosmos DB's database. */
  readonly database: string | null;
};

type Scheme = {
  readonly scheme: string;
  readonly platform: string;
  readonly style: NameStyle;
  readonly port?: number | undefined;
};

const sql = (scheme: string, platform: PlatformName, port?: number) =>
  ({ scheme, platform, style: 'dotted', port }) as const;
const store = (scheme: string, style: NameStyle, port?: number) => ({ scheme, platform: scheme, style, port });

/** By the scheme that producers write: the scheme that the specification names, and its default port. */
const schemes: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ['postgres', sql('postgres', 'postgres', 5432)],
  ['postgresql', sql('postgres', 'postgres', 5432)],
  ['crate', sql('crate', 'crate', 5432)],
  ['redshift', sql('redshift', 'redshift', 5439)],
  ['mysql', sql('mysql', 'mysql', 3306)],
  ['mariadb', sql('mysql', 'mysql', 3306)],
  ['mssql', sql('mssql', 'mssql', 1433)],
  ['sqlserver', sql('mssql', 'mssql', 1433)],
  ['fabric-warehouse', sql('fabric-warehouse', 'fabric', 1433)],
  ['oracle', sql('oracle', 'oracle', 1521)],
  ['db2', sql('db2', 'db2', 50000)],
  ['teradata', sql('teradata', 'teradata', 1025)],
  ['cassandra', sql('cassandra', 'cassandra', 9042)],
  ['clickhouse', sql('clickhouse', 'clickhouse', 8123)],
  ['oceanbase', sql('oceanbase', 'oceanbase', 2881)],
  ['milvus', sql('milvus', 'milvus', 19530)],
  ['trino', sql('trino', 'trino', 8080)],
  ['presto', sql('trino', 'trino', 8080)],
  ['hive', sql('hive', 'hive')],
  ['spark', sql('spark', 'spark')],
  ['snowflake', sql('snowflake', 'snowflake')],
  ['bigquery', sql('bigquery', 'bigquery')],
  ['awsathena', sql('awsathena', 'athena', 443)],
  ['athena', sql('awsathena', 'athena', 443)],
  ['unitycatalog', sql('unitycatalog', 'databricks')],
  ['unity-catalog', sql('unitycatalog', 'databricks')],
  ['databricks', sql('unitycatalog', 'databricks')],
  ['duckdb', sql('duckdb', 'duckdb')],
  ['dremio', sql('dremio', 'dremio')],
  ['spanner', sql('spanner', 'spanner')],
  ['azurecosmos', { scheme: 'azurecosmos', platform: 'azurecosmos', style: 'cosmos' }],
  ['azurekusto', { scheme: 'azurekusto', platform: 'azurekusto', style: 'kusto' }],
  // The REST catalogs of Iceberg name their tables under their own address.
  ['http', store('http', 'dotted', 80)],
  ['https', store('https', 'dotted', 443)],
  ['kafka', store('kafka', 'topic', 9092)],
  ['pubsub', store('pubsub', 'topic')],
  ['s3', store('s3', 'object')],
  ['s3a', store('s3', 'object')],
  ['s3n', store('s3', 'object')],
  ['gs', store('gs', 'object')],
  ['gcs', store('gs', 'object')],
  ['abfss', store('abfss', 'object')],
  ['abfs', store('abfss', 'object')],
  // The older client of the same containers.
  ['wasbs', store('abfss', 'object')],
  ['wasb', store('abfss', 'object')],
  ['hdfs', store('hdfs', 'path', 8020)],
  ['dbfs', store('dbfs', 'path')],
  ['file', store('file', 'path')],
  ['box', store('box', 'object')],
  ['filenet', store('filenet', 'object')],
  ['mssharepoint', store('mssharepoint', 'object')],
  ['inmemory', store('inmemory', 'path')],
]);

/** Namespaces that are one word, without an authority: Spark writes `dbfs` and `hdfs` for paths of the default file system. */
const bareWords: ReadonlySet<string> = new Set(['bigquery', 'pubsub', 'file', 'dbfs', 'hdfs', 'unity-catalog']);

/** Scheme and host are case-insensitive, a path is not; a missing port is the platform's default. */
export function parseNamespace(text: string): Namespace {
  const glue = /^(?:arn:)?(aws[a-z-]*:glue:.*)$/i.exec(text)?.[1];
  if (glue !== undefined) return of('glue', 'glue', `arn:${withoutTrailing('/', glue.toLowerCase())}`);
  const word = text.toLowerCase();
  const bare = bareWords.has(word) ? schemes.get(word) : undefined;
  if (bare) return of(bare.platform, bare.style, word);
  const [, schemeText, authority = '', path = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(.*)$/is.exec(text) ?? [];
  const scheme = schemes.get(schemeText?.toLowerCase() ?? '');
  if (!scheme) return of(null, 'dotted', text);
  return withAuthority(scheme, authority, withoutTrailing('/', path));
}

const of = (
  platform: string | null,
  style: NameStyle,
  instance: string,
  database: string | null = null,
): Namespace => ({
  platform,
  naming: platform !== null && isPlatform(platform) ? platforms[platform] : null,
  style,
  instance,
  database,
});

function withAuthority({ scheme, platform, style, port }: Scheme, authority: string, path: string): Namespace {
  const hosts = hostOf(platform, authority.toLowerCase()).split(',');
  const withPort = (host: string) =>
    port !== undefined && host !== '' && !/:\d+$/.test(host) ? `${host}:${port}` : host;
  // A cluster is named by some of its brokers, in any order.
  const complete = hosts.map(withPort).sort().join(',');
  const database = style === 'cosmos' ? (/^\/dbs\/([^/]+)$/.exec(path)?.[1] ?? null) : null;
  return of(platform, style, `${scheme}://${complete}${database === null ? path : ''}`, database);
}

function hostOf(platform: string, host: string): string {
  if (platform === 'snowflake') return host.replace(/\.snowflakecomputing\.(com|cn)$/, '');
  return platform === 'abfss' ? host.replace(/\.blob\.core\./, '.dfs.core.') : host;
}

const withoutPath = /^[^:/]+(?::\/\/[^/]+\/*)?$/;

/** A path or topic has one spelling, whatever the scheme of the store's client (`s3a`) and however it sets slashes. A part of a path is the whole (C-IDENTITY-19). */
export function unownedDataset(
  namespace: string,
  name: string,
  parts: 'whole' | 'apart' = 'whole',
): Node & { readonly kind: 'dataset' } {
  const { style, instance } = parseNamespace(namespace);
  if (style === 'topic') return { kind: 'dataset', namespace: instance, name };
  const isPath = style === 'path' || style === 'object';
  if (!isPath || !withoutPath.test(namespace)) return { kind: 'dataset', namespace, name };
  const written = name.slice(0, 1) + withoutTrailing('/', name.slice(1));
  const path = parts === 'whole' ? wholePath(written) : written;
  return { kind: 'dataset', namespace: instance, name: style === 'object' ? path.replace(/^\/+/, '') || path : path };
}

export function bindingKey(text: string): string {
  const { platform, instance } = parseNamespace(text);
  if (platform !== 'redshift') return instance;
  const service = /\.redshift(?:-serverless)?\.amazonaws\.com(?:\.cn)?/.exec(instance);
  const [cluster, account, region, ...more] = instance.slice(0, service?.index).split('.');
  if (!service || !account || !region || more.length > 0) return instance;
  return `${cluster}.${region}${instance.slice(service.index + service[0].length)}`;
}
