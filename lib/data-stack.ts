import { createHash } from 'node:crypto';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault, type BackupVaultProps } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Duration, Names, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { stackNames } from '../shared/contract/stack-outputs.ts';
import { acknowledge } from './acknowledge.ts';
import { type Issuer, UserDirectory } from './identity.ts';
import { Stores } from './stores.ts';
import { type Tenant, TenantStack } from './tenant.ts';

const policies = ['ForBackup', 'ForRestores'].map((name) => `service-role/AWSBackupServiceRolePolicy${name}`);
const bucketPolicies = ['ForS3Backup', 'ForS3Restore'].map((name) => `AWSBackupServiceRolePolicy${name}`);

type BackupsProps = {
  readonly stores: Stores;
  /** Undefined if the tenant has no copies made. */
  readonly keepDays: number | undefined;
  readonly isProtected: boolean;
};

/**
 * A copy of the main table and the buckets each night, in its own vault that outlives them. The ledger is left out: a copy
 * of all claims each night would cost more than everything else.
 */
class Backups extends Construct {
  readonly #isProtected: boolean;

  constructor(scope: Construct, id: string, { stores, keepDays, isProtected }: BackupsProps) {
    super(scope, id);
    this.#isProtected = isProtected;
    // A vault has a fixed name and outlives its stack. Without it in the template, a later one could not have the name.
    const ownVault = this.#vault('Vault');
    const backupVault = stores.key ? this.#vaultOf(stores.key) : ownVault;
    if (keepDays !== undefined) this.#copyEachNight(stores, backupVault, keepDays);
  }

  /**
   * AWS Backup cannot change the key of a vault, so each key has a vault with another name. The vault has another logical id
   * too: CloudFormation imports an existing vault only as a resource that the template did not have before.
   */
  #vaultOf(key: IKey): BackupVault {
    const digest = createHash('sha256').update(key.keyArn).digest('hex').slice(0, 8);
    const prefix = Names.uniqueResourceName(this, { maxLength: 41, separator: '-' });
    return this.#vault(`KeyVault${digest}`, { encryptionKey: key, backupVaultName: `${prefix}-${digest}` });
  }

  #vault(id: string, props: BackupVaultProps = {}): BackupVault {
    return new BackupVault(this, id, {
      backupVaultName: Names.uniqueResourceName(this, { maxLength: 50, separator: '-' }),
      // A vault of a first deployment that failed would keep its name from the next one.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      // Nobody deletes a copy early by mistake: it takes another policy of the vault first.
      blockRecoveryPointDeletion: this.#isProtected,
      ...props,
    });
  }

  /** An object is written before the item that names it, so that a copy of buckets after one of tables has all objects. */
  #copyEachNight({ tables, buckets }: Stores, backupVault: BackupVault, keepDays: number): void {
    const role = this.#role();
    const copy = (id: string, hour: number, resources: BackupResource[]): void => {
      const nightly = new BackupPlanRule({
        ruleName: 'nightly',
        scheduleExpression: Schedule.cron({ hour: String(hour), minute: '0' }),
        // The shortest that there is: no copy of a table starts after those of buckets.
        startWindow: Duration.hours(1),
        deleteAfter: Duration.days(keepDays),
      });
      const plan = new BackupPlan(this, id, { backupVault, backupPlanRules: [nightly] });
      plan.addSelection('Stores', { role, disableDefaultBackupPolicy: true, resources });
    };
    const bucketArns = [buckets.raw, buckets.lake].map(({ bucketArn }) => BackupResource.fromArn(bucketArn));
    copy('Tables', 3, [BackupResource.fromDynamoDbTable(tables.main)]);
    copy('Buckets', 4, bucketArns);
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

type DataProps = { readonly tenant: Tenant; readonly issuer?: Issuer };

/** What a tenant cannot lose: tables, buckets, queues and the user pool. Nothing that is deployed often is in here. */
export class DataStack extends TenantStack {
  readonly stores: Stores;
  /** Null if the tenant wants no user pool, because its people sign in elsewhere. */
  readonly users: UserDirectory | null;

  constructor(scope: Construct, { tenant, issuer }: DataProps) {
    super(scope, stackNames(tenant.name).data, tenant, {
      terminationProtection: tenant.protected,
      description: `Tributary for ${tenant.name}: its data`,
    });
    const { protected: isProtected, backup, kmsKeyArn, warmThroughput: warm, ledgerRecovery } = tenant;
    const key = kmsKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'Key', kmsKeyArn);
    const icebergOf = tenant.iceberg && tenant.name;
    this.stores = new Stores(this, 'Stores', { isProtected, key, warm, icebergOf, ledgerRecovery });
    new Backups(this, 'Backups', { stores: this.stores, isProtected, keepDays: backup?.keepDays });
    // The pool stays when an issuer takes its place: a deployed service imports its id until the next deployment.
    this.users =
      issuer || tenant.userPool === false
        ? null
        : new UserDirectory(this, 'Identity', { tenant: tenant.name, isProtected });
    this.#export();
  }

  /**
   * Exports all that a service may import, whether it does now or not: an export that a deployed service still uses
   * cannot be taken away, which would break a deployment that removes a function's use of a store.
   */
  #export(): void {
    const { tables, buckets, queues, stream } = this.stores;
    for (const { tableName, tableArn } of [tables.main, tables.eventLedger])
      for (const value of [tableName, tableArn]) this.exportValue(value);
    for (const { bucketName, bucketArn } of [buckets.raw, buckets.lake])
      for (const value of [bucketName, bucketArn]) this.exportValue(value);
    for (const { queueUrl, queueArn, queueName } of Object.values(queues).flatMap(({ queue, deadLetters }) => [
      queue,
      deadLetters,
    ]))
      for (const value of [queueUrl, queueArn, queueName]) this.exportValue(value);
    if (stream) for (const value of [stream.ref, stream.attrArn]) this.exportValue(value);
    if (this.users) this.exportValue(this.users.pool.userPoolId);
  }
}
