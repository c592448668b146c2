import { describe, expect, it } from 'vitest';
import { ownsUrn, resolveDatahubUrn } from '../../../shared/domain/lineage/names/datahub-urn.ts';
import { datasetOf } from '../../../shared/domain/lineage/names/dataset-of-node.ts';
import { declaredRelation } from '../../../shared/domain/lineage/names/relation-ref.ts';
import { resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';
import { connectorWith } from './connectors.ts';

const hive = connectorWith({ id: 'hive', kind: 'spark', namespaces: ['hive://nn:9083'] });
const lake = connectorWith({ id: 'lake', kind: 'other', namespaces: ['food_delivery'] });
const path = { namespace: 's3://lake', name: 'wh/core/accounts' };
const table = { namespace: 'hive://NN:9083', name: 'core.Accounts', type: 'TABLE' };

describe('resolveDataset', () => {
  const inDatahub = { kind: 'datahub', urn: 'urn:li:dataset:(urn:li:dataPlatform:s3,lake/wh/core/accounts,PROD)' };

  it('keeps the path as an alias of the table that a symlink names', () => {
    expect(resolveDataset([hive], { ...path, symlinks: [table] })).toEqual({
      node: { kind: 'relation', connectorId: 'hive', ref: 'core.accounts' },
      aliases: [{ kind: 'dataset', ...path }, inDatahub],
    });
  });

  it.each(['DB_TABLE', 'hive_table', 'TABLE'])('takes a symlink of type %s for a table', (type) => {
    const { node } = resolveDataset([hive], { ...path, symlinks: [{ ...table, type }] });
    expect(node).toMatchObject({ kind: 'relation', ref: 'core.accounts' });
  });

  it.each([
    ['spark', 'None.core.orders', 'core.orders'],
    ['spark', 'iceberg.core.orders', 'iceberg.core.orders'],
    ['clickhouse', 'default.core.orders', 'core.orders'],
    ['mysql', 'None.core.orders', 'core.orders'],
  ] as const)('leaves out of a name of %s what OpenLineage adds before its database: %s', (kind, name, ref) => {
    const connector = connectorWith({ kind, namespaces: ['n'], default_database: null, default_schema: 'default' });
    expect(resolveDataset([connector], { namespace: 'n', name, symlinks: [] }).node).toMatchObject({ ref });
  });

  it('keeps the dataset under its own name where nobody owns the table, and the table as an alias', () => {
    expect(resolveDataset([], { ...path, symlinks: [table] })).toEqual({
      node: { kind: 'dataset', ...path },
      aliases: [inDatahub, { kind: 'dataset', namespace: table.namespace, name: table.name }],
    });
  });

  it('never makes one relation the alias of another', () => {
    const other = { ...table, name: 'core.other' };
    const dataset = { namespace: table.namespace, name: table.name, symlinks: [other] };
    expect(resolveDataset([hive], dataset).aliases).toEqual([]);
  });

  it('resolves free text only through a binding', () => {
    const dataset = { namespace: 'food_delivery', name: 'public.Orders', symlinks: [] };
    expect(resolveDataset([lake], dataset).node).toEqual({
      kind: 'relation',
      connectorId: 'lake',
      ref: 'public.Orders',
    });
    expect(resolveDataset([hive], dataset).node.kind).toBe('dataset');
  });

  it.each([
    ['arn:aws:glue:eu-west-1:1', 'table/core/Accounts'],
    ['arn:aws:glue:eu-west-1:1/', 'table/core/Accounts'],
    ['aws:glue:eu-west-1:1', 'core.Accounts'],
  ])(
    'takes %s and %s for a table of the Glue catalogue, as releases of OpenLineage have named it',
    (namespace, name) => {
      const glue = connectorWith({ kind: 'spark', namespaces: ['arn:aws:glue:eu-west-1:1'] });
      expect(resolveDataset([glue], { namespace, name, symlinks: [] }).node).toMatchObject({ ref: 'core.accounts' });
    },
  );

  describe('of the Glue catalog (C-IDENTITY-18)', () => {
    const arn = 'arn:aws:glue:eu-west-1:123456789012';
    const host = 'awsathena://athena.eu-west-1.amazonaws.com';
    const trino = 'trino://trino.acme.test:8080';
    const rest = 'https://glue.eu-west-1.amazonaws.com/iceberg';
    const refOf = (kind: 'athena' | 'spark', namespace: string, name: string) =>
      resolveDataset([connectorWith({ kind, namespaces: [host, arn, rest, trino] })], { namespace, name, symlinks: [] })
        .node;

    it.each([
      // dbt's and Airflow's integrations, Athena's own console, a JDBC driver's port.
      [host, 'AwsDataCatalog.core.orders'],
      [host, 'awsdatacatalog.Core.Orders'],
      [host, '"AwsDataCatalog"."core"."orders"'],
      [host, 'AwsDataCatalog/core/orders'],
      [host, 'AwsDataCatalog/core.orders'],
      [host, 'core.orders'],
      [`${host}:443`, 'core.orders'],
      // Spark, with Hive's client or Iceberg's.
      [arn, 'table/core/orders'],
      [arn, 'AwsDataCatalog.core.orders'],
      [arn, 'core.orders'],
      [trino, 'awsdatacatalog.core.orders'],
      // Iceberg's REST catalogs, by the address of the catalog.
      [rest, 'core.orders'],
      [`${rest.replace('glue', 'GLUE').replace('.com', '.com:443')}/`, 'core.orders'],
      // The ARN of the table.
      ['aws', `${arn}:table/core/orders`],
      [`${arn}:table`, 'core/orders'],
      [host, `${arn}:table/core/orders`],
    ])('is one relation as %s %s', (namespace, name) => {
      expect(refOf('athena', namespace, name)).toMatchObject({ kind: 'relation', ref: 'awsdatacatalog.core.orders' });
      expect(refOf('spark', namespace, name)).toMatchObject({ kind: 'relation', ref: 'core.orders' });
    });

    it.each([
      [host, '"s3tablescatalog/bucket"."core"."orders"'],
      [host, 's3tablescatalog/bucket.core.orders'],
      [host, 's3tablescatalog/bucket/core/orders'],
      [arn, 'table/s3tablescatalog/bucket/core/orders'],
      ['aws', `${arn}:table/s3tablescatalog/bucket/core/orders`],
    ])('is of another catalog as %s %s', (namespace, name) => {
      const connector = connectorWith({ kind: 'athena', namespaces: [arn, host] });
      const { node } = resolveDataset([connector], { namespace, name, symlinks: [] });
      expect(node).toMatchObject({ kind: 'relation', ref: '"s3tablescatalog/bucket".core.orders' });
      const exported = datasetOf(connector, node);
      expect(exported).toEqual({ namespace: arn, name: 'table/s3tablescatalog/bucket/core/orders' });
      expect(exported && resolveDataset([connector], { ...exported, symlinks: [] }).node).toEqual(node);
    });

    it('is what dbt, DataHub and SQL call it too', () => {
      const athena = connectorWith({ kind: 'athena', namespaces: [host] });
      const node = refOf('athena', arn, 'table/core/orders');
      for (const platform of ['glue', 'athena'])
        for (const name of ['core.orders', 'awsdatacatalog.core.orders'])
          expect(
            resolveDatahubUrn([athena], athena, `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`),
          ).toEqual(node);
      const parts = (...texts: readonly string[]) => texts.map((text) => ({ text, quoted: true }));
      expect(declaredRelation(athena, parts('awsdatacatalog', 'core', 'orders'))).toEqual(node);
      expect(declaredRelation(athena, parts('core', 'orders'))).toEqual(node);
      expect(datasetOf(connectorWith({ kind: 'athena', namespaces: [arn] }), node)?.name).toBe('table/core/orders');
    });

    it('has no implied catalog if another one is the default, or the name has one', () => {
      const other = connectorWith({ kind: 'athena', namespaces: [host], default_database: 'federated' });
      expect(resolveDataset([other], { namespace: host, name: 'core.orders', symlinks: [] }).node).toMatchObject({
        ref: 'federated.core.orders',
      });
      expect(refOf('spark', host, 'iceberg.core.orders')).toMatchObject({ ref: 'iceberg.core.orders' });
      expect(refOf('spark', host, 'spark_catalog.core.orders')).toMatchObject({ ref: 'core.orders' });
      expect(refOf('athena', arn, 'core/orders').kind).toBe('dataset');
    });
  });

  it('puts the default schema between database and table if a JDBC job left it to its session (C-IDENTITY-15)', () => {
    const namespace = 'postgres://db.acme.test:5432';
    const refOf = (name: string, settings: object) =>
      resolveDataset([connectorWith({ namespaces: [namespace], ...settings })], { namespace, name, symlinks: [] }).node;
    const defaults = { default_database: 'Shop', default_schema: 'public' };
    expect(refOf('shop.orders', defaults)).toMatchObject({ ref: 'shop.public.orders' });
    expect(refOf('core.orders', defaults)).toMatchObject({ ref: 'shop.core.orders' });
    expect(refOf('shop.core.orders', defaults)).toMatchObject({ ref: 'shop.core.orders' });
    expect(refOf('shop.orders', { ...defaults, default_schema: null })).toMatchObject({ ref: 'shop.shop.orders' });
    expect(refOf('shop.orders', { ...defaults, kind: 'mysql' })).toMatchObject({ ref: 'shop.orders' });
  });

  it('takes the endpoint of a Redshift cluster for the cluster', () => {
    const redshift = connectorWith({ kind: 'redshift', namespaces: ['redshift://c1.eu-west-1:5439'] });
    const namespace = 'redshift://c1.abc123.eu-west-1.redshift.amazonaws.com:5439';
    expect(resolveDataset([redshift], { namespace, name: 'dev.public.Orders', symlinks: [] }).node).toMatchObject({
      ref: 'dev.public.orders',
    });
  });
});

describe('resolveDatahubUrn', () => {
  const urn = (env: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.public.accounts,${env})`;
  const prod = connectorWith({ id: 'prod' });
  const dev = connectorWith({ id: 'dev', datahub_env: 'DEV' });

  it('gives a dataset to the request’s connector, else to the only one of its platform and environment (C-DATAHUB-2)', () => {
    expect(resolveDatahubUrn([prod, dev], prod, urn('PROD'))).toMatchObject({ connectorId: 'prod' });
    expect(resolveDatahubUrn([prod, dev], prod, urn('DEV'))).toMatchObject({ connectorId: 'dev' });
    expect(resolveDatahubUrn([prod, hive], hive, urn('PROD'))).toMatchObject({ connectorId: 'prod' });
  });

  it.each([
    ['mssql', 'sqlserver'],
    ['presto', 'trino'],
    ['mariadb', 'mysql'],
    ['unity-catalog', 'databricks'],
    ['hive', 'spark'],
    ['glue', 'athena'],
    ['snowflake', 'snowflake'],
  ] as const)('takes the platform %s for one of %s (C-DATAHUB-2)', (platform, kind) => {
    const owner = connectorWith({ id: 'own', kind });
    const dataset = { platform, name: 'a.b.c', env: 'PROD' } as Parameters<typeof ownsUrn>[1];
    expect([owner, prod].map((one) => ownsUrn(one, dataset))).toEqual([true, false]);
  });

  it('gives a connector of another kind the platforms of its namespaces', () => {
    const dataset = (platform: string) => ({ platform, name: 'a', env: 'PROD' }) as Parameters<typeof ownsUrn>[1];
    const cluster = connectorWith({ id: 'own', kind: 'other', namespaces: ['kafka://b1:9092'] });
    expect(['kafka', 'postgres'].map((one) => ownsUrn(cluster, dataset(one)))).toEqual([true, false]);
  });

  it('never merges environments or guesses between connectors', () => {
    const node = { kind: 'datahub', urn: urn('DEV') };
    expect(resolveDatahubUrn([prod], prod, urn('DEV'))).toEqual(node);
    expect(resolveDatahubUrn([hive, dev, { ...dev, id: prod.id }], hive, urn('DEV'))).toEqual(node);
  });

  it('exports a dataset that nobody owns under a name that leads back to it', () => {
    const node = { kind: 'datahub', urn: urn('DEV') } as const;
    const dataset = datasetOf(null, node);
    expect(dataset).toEqual({ namespace: 'urn:li:dataPlatform:postgres,DEV', name: 'crm.public.accounts' });
    expect(dataset && resolveDataset([], { ...dataset, symlinks: [] }).node).toEqual(node);
  });
});
