import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Stores } from './stores.ts';

const policies = ['ForBackup', 'ForRestores'].map((name) => `service-role/AWSBackupServiceRolePolicy${name}`);
const bucketPolicies = ['ForS3Backup', 'ForS3Restore'].map((name) => `AWSBackupServiceRolePolicy${name}`);

type BackupsProps = { readonly stores: Stores; readonly keepDays: number; readonly isProtected: boolean };

/** A copy of the tables and buckets each night, in a vault of its own that outlives them. */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { stores, keepDays, isProtected }: BackupsProps) {
    super(scope, id);
    const { tables, buckets, key } = stores;
    const backupVault = new BackupVault(this, 'Vault', {
      removalPolicy: RemovalPolicy.RETAIN,
      // Copies end by their age alone, whoever asks.
      blockRecoveryPointDeletion: isProtected,
      ...(key && { encryptionKey: key }),
    });
    const nightly = new BackupPlanRule({
      ruleName: 'nightly',
      scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
      deleteAfter: Duration.days(keepDays),
    });
    new BackupPlan(this, 'Plan', { backupVault, backupPlanRules: [nightly] }).addSelection('Stores', {
      role: this.#role(),
      disableDefaultBackupPolicy: true,
      resources: [
        ...[tables.main, tables.eventLedger].map((table) => BackupResource.fromDynamoDbTable(table)),
        ...[buckets.raw, buckets.lake].map(({ bucketArn }) => BackupResource.fromArn(bucketArn)),
      ],
    });
  }

  #role(): Role {
    const names = [...policies, ...bucketPolicies];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: names.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
    const reason = 'The policies that AWS Backup documents for backing up and restoring tables and buckets.';
    acknowledge(
      role,
      Object.fromEntries(
        names.map((name) => [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`, reason]),
      ),
    );
    return role;
  }
}
