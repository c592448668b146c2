import { CfnTableOptimizer } from 'aws-cdk-lib/aws-glue';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { icebergDatabase, icebergPrefix, icebergTables } from '../../shared/contract/lake.ts';
import { acknowledge } from '../acknowledge.ts';
import { allowActions, allowKey, inFindings } from '../rights.ts';
import type { Stores } from '../stores.ts';
import { allowTableFiles, allowTables } from './rights.ts';

type Configuration = Omit<CfnTableOptimizer.TableOptimizerConfigurationProperty, 'roleArn' | 'enabled'>;

/** The number of days that a version of a table can be read, and that an erased person's rows stay in its files. */
const versionDays = 5;

const optimizers: Readonly<Record<string, Configuration>> = {
  compaction: {},
  retention: {
    retentionConfiguration: {
      icebergConfiguration: {
        snapshotRetentionPeriodInDays: versionDays,
        numberOfSnapshotsToRetain: 1,
        cleanExpiredFiles: true,
      },
    },
  },
  orphan_file_deletion: {
    orphanFileDeletionConfiguration: { icebergConfiguration: { orphanFileRetentionPeriodInDays: versionDays } },
  },
};

type IcebergUpkeepProps = { readonly tenant: string; readonly stores: Stores };

/** Glue makes few large files of many small ones, and removes those that no version of a table needs. */
export class IcebergUpkeep extends Construct {
  constructor(scope: Construct, id: string, { tenant, stores: { buckets, key } }: IcebergUpkeepProps) {
    super(scope, id);
    const databaseName = icebergDatabase(tenant);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('glue.amazonaws.com') });
    allowTables(role, databaseName, Object.values(icebergTables));
    allowTableFiles(role, buckets.lake, [icebergPrefix]);
    if (key) allowKey(role, key);
    this.#allowLogs(role);
    for (const tableName of Object.values(icebergTables))
      for (const [type, configuration] of Object.entries(optimizers))
        new CfnTableOptimizer(this, `${tableName}-${type}`, {
          catalogId: Stack.of(this).account,
          databaseName,
          tableName,
          type,
          tableOptimizerConfiguration: { roleArn: role.roleArn, enabled: true, ...configuration },
          // Glue tries the role when the optimizer is made.
        }).node.addDependency(role);
  }

  /** Glue writes the log of each kind to a separate group, which all tenants of the account share. */
  #allowLogs(role: Role): void {
    const arn = Stack.of(this).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: '/aws-glue/iceberg-*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    allowActions(role, 'logs', ['CreateLogGroup', 'CreateLogStream', 'PutLogEvents'], [arn]);
    acknowledge(role, {
      [`AwsSolutions-IAM5[Resource::${inFindings(role, arn)}]`]: 'Glue names the groups, and the streams in them.',
    });
  }
}
