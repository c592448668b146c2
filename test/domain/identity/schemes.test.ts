import { describe, expect, it } from 'vitest';
import { parseNamespace } from '../../../shared/domain/lineage/names/namespace.ts';

/** Of the specification's naming page and of producers that write another scheme: the port that a missing one is. */
const servers: readonly (readonly [written: string, scheme: string, port: number, platform: string])[] = [
  ['postgres', 'postgres', 5432, 'postgres'],
  ['postgresql', 'postgres', 5432, 'postgres'],
  ['crate', 'crate', 5432, 'crate'],
  ['redshift', 'redshift', 5439, 'redshift'],
  ['mysql', 'mysql', 3306, 'mysql'],
  ['mariadb', 'mysql', 3306, 'mysql'],
  ['mssql', 'mssql', 1433, 'mssql'],
  ['sqlserver', 'mssql', 1433, 'mssql'],
  ['fabric-warehouse', 'fabric-warehouse', 1433, 'fabric'],
  ['oracle', 'oracle', 1521, 'oracle'],
  ['db2', 'db2', 50000, 'db2'],
  ['teradata', 'teradata', 1025, 'teradata'],
  ['cassandra', 'cassandra', 9042, 'cassandra'],
  ['clickhouse', 'clickhouse', 8123, 'clickhouse'],
  ['oceanbase', 'oceanbase', 2881, 'oceanbase'],
  ['milvus', 'milvus', 19530, 'milvus'],
  ['trino', 'trino', 8080, 'trino'],
  ['presto', 'trino', 8080, 'trino'],
  ['awsathena', 'awsathena', 443, 'athena'],
  ['athena', 'awsathena', 443, 'athena'],
  ['http', 'http', 80, 'http'],
  ['https', 'https', 443, 'https'],
  ['kafka', 'kafka', 9092, 'kafka'],
  ['hdfs', 'hdfs', 8020, 'hdfs'],
];
const portless: readonly (readonly [written: string, instance: string, platform: string])[] = [
  ['hive://h', 'hive://h', 'hive'],
  ['spark://h', 'spark://h', 'spark'],
  ['snowflake://acme', 'snowflake://acme', 'snowflake'],
  ['bigquery', 'bigquery', 'bigquery'],
  ['unitycatalog://h', 'unitycatalog://h', 'databricks'],
  ['unity-catalog://h', 'unitycatalog://h', 'databricks'],
  ['databricks://h', 'unitycatalog://h', 'databricks'],
  ['duckdb://h', 'duckdb://h', 'duckdb'],
  ['dremio://h', 'dremio://h', 'dremio'],
  ['spanner://h', 'spanner://h', 'spanner'],
  ['azurecosmos://h/dbs/d', 'azurecosmos://h', 'azurecosmos'],
  ['azurekusto://h', 'azurekusto://h', 'azurekusto'],
  ['pubsub', 'pubsub', 'pubsub'],
  ['s3://lake', 's3://lake', 's3'],
  ['s3a://lake', 's3://lake', 's3'],
  ['s3n://lake', 's3://lake', 's3'],
  ['gs://lake', 'gs://lake', 'gs'],
  ['gcs://lake', 'gs://lake', 'gs'],
  ['abfss://c@a', 'abfss://c@a', 'abfss'],
  ['abfs://c@a', 'abfss://c@a', 'abfss'],
  ['wasbs://c@a', 'abfss://c@a', 'abfss'],
  ['wasb://c@a', 'abfss://c@a', 'abfss'],
  ['dbfs://w', 'dbfs://w', 'dbfs'],
  ['dbfs', 'dbfs', 'dbfs'],
  ['hdfs', 'hdfs', 'hdfs'],
  ['file', 'file', 'file'],
  ['box://h', 'box://h', 'box'],
  ['filenet://h', 'filenet://h', 'filenet'],
  ['mssharepoint://h', 'mssharepoint://h', 'mssharepoint'],
  ['inmemory://', 'inmemory://', 'inmemory'],
];

describe('the scheme of a namespace (C-IDENTITY-3)', () => {
  it.each(servers)('%s is %s, by default at port %i, of %s', (written, scheme, port, platform) => {
    const instance = `${scheme}://host:${port}`;
    for (const text of [`${written}://host`, `${written.toUpperCase()}://HOST:${port}`])
      expect(parseNamespace(text)).toMatchObject({ instance, platform });
  });

  it.each(portless)('%s is %s of %s, and gets no port', (written, instance, platform) => {
    expect(parseNamespace(written)).toMatchObject({ instance, platform });
  });

  it.each(['bigquery', 'pubsub', 'file', 'dbfs', 'hdfs'])('%s is one word, in whatever case', (word) => {
    expect(parseNamespace(word.toUpperCase())).toEqual(parseNamespace(word));
  });
});
