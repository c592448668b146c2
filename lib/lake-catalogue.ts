import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { compactedPrefix, lakeColumns, lakePrefix, partitionNames } from '../shared/contract/lake.ts';

/** Which of the two forms an object has, as a partition of the table. */
const folder = 'folder';

type LakeCatalogueProps = { readonly tenant: string; readonly lake: Bucket };

/** The event lake as a table of Athena: partitions are projected from their names, so that nothing has to be crawled. */
export class LakeCatalogue extends Construct {
  constructor(scope: Construct, id: string, { tenant, lake }: LakeCatalogueProps) {
    super(scope, id);
    const catalogId = Stack.of(this).account;
    const name = `tributary_${tenant.replaceAll('-', '_')}`;
    const database = new CfnDatabase(this, 'Database', { catalogId, databaseInput: { name } });
    const location = `s3://${lake.bucketName}/`;
    const table = new CfnTable(this, 'Events', {
      catalogId,
      databaseName: name,
      tableInput: {
        name: 'events',
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: [folder, ...partitionNames].map((partition) => ({ name: partition, type: 'string' })),
        parameters: projectionOf(location),
        storageDescriptor: {
          location,
          columns: Object.entries(lakeColumns).map(([column, type]) => ({ name: column, type })),
          inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
          serdeInfo: {
            serializationLibrary: 'org.openx.data.jsonserde.JsonSerDe',
            // Keys of arbitrary JSON may differ only in their case, which is an error for a whole query otherwise.
            parameters: { 'case.insensitive': 'FALSE', 'ignore.malformed.json': 'TRUE' },
          },
        },
      },
    });
    table.addResourceDependency(database);
  }
}

function projectionOf(location: string): Record<string, string> {
  const path = partitionNames.map((partition) => `${partition}=\${${partition}}`).join('/');
  return {
    classification: 'json',
    'projection.enabled': 'true',
    'storage.location.template': `${location}\${${folder}}/${path}/`,
    // A query that names none reads both, and for some seconds finds what is compacted just then twice.
    [`projection.${folder}.type`]: 'enum',
    [`projection.${folder}.values`]: [lakePrefix, compactedPrefix].map((prefix) => prefix.replace('/', '')).join(),
    // Injected: a query names the workspace, project and environment that it reads.
    'projection.workspace.type': 'injected',
    'projection.project.type': 'injected',
    'projection.environment.type': 'injected',
    'projection.date.type': 'date',
    'projection.date.format': 'yyyy-MM-dd',
    'projection.date.range': '2025-01-01,NOW',
    'projection.hour.type': 'integer',
    'projection.hour.range': '0,23',
    'projection.hour.digits': '2',
  };
}
