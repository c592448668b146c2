import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  eventColumns,
  icebergDatabase,
  icebergPrefix,
  icebergTables,
  landingColumns,
  landingDay,
} from '../../shared/contract/lake.ts';

type IcebergTablesProps = { readonly tenant: string; readonly lake: Bucket };
type TableShape = {
  readonly columns: readonly string[];
  readonly typeOf: (column: string) => string;
  readonly partition: { readonly column: string; readonly transform: string };
};

const shapes: Readonly<Record<keyof typeof icebergTables, TableShape>> = {
  landing: {
    columns: landingColumns,
    typeOf: () => 'string',
    partition: { column: landingDay, transform: 'identity' },
  },
  events: {
    columns: eventColumns,
    typeOf: (column) => ({ received_at: 'timestamp', trusted: 'boolean' })[column] ?? 'string',
    partition: { column: 'received_at', transform: 'day' },
  },
};

/** The tables of events in the Glue catalogue, which holds the place of their newest version: they are data. */
export class IcebergTables extends Construct {
  readonly all: readonly CfnTable[];

  constructor(scope: Construct, id: string, { tenant, lake }: IcebergTablesProps) {
    super(scope, id);
    const catalogId = Stack.of(this).account;
    const databaseName = icebergDatabase(tenant);
    const database = new CfnDatabase(this, 'Database', { catalogId, databaseInput: { name: databaseName } });
    database.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.all = (['landing', 'events'] as const).map((name) => {
      const location = `s3://${lake.bucketName}/${icebergPrefix}${name}`;
      const icebergInput = { metadataOperation: 'CREATE', version: '2', icebergTableInput: shapeOf(name, location) };
      const table = new CfnTable(this, name === 'landing' ? 'Landing' : 'Events', {
        catalogId,
        databaseName,
        name: icebergTables[name],
        openTableFormatInput: { icebergInput },
      });
      table.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      table.addResourceDependency(database);
      return table;
    });
  }
}

function shapeOf(name: keyof typeof icebergTables, location: string): CfnTable.IcebergTableInputProperty {
  const { columns, typeOf, partition } = shapes[name];
  const sourceId = columns.indexOf(partition.column) + 1;
  return {
    location,
    schema: {
      type: 'struct',
      fields: columns.map((column, index) => ({ id: index + 1, name: column, type: typeOf(column), required: false })),
    },
    partitionSpec: { fields: [{ name: `${partition.column}_part`, sourceId, transform: partition.transform }] },
    properties: { 'write.format.default': 'parquet', 'write.parquet.compression-codec': 'zstd' },
  };
}
