import { Key } from 'aws-cdk-lib/aws-kms';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { stackNames } from '../shared/contract/stack-outputs.ts';
import { Backups } from './backups.ts';
import { type Issuer, UserDirectory } from './identity.ts';
import { Stores } from './stores.ts';
import { stackProps, type Tenant, tag } from './tenant.ts';

type DataProps = { readonly tenant: Tenant; readonly issuer?: Issuer };

/** What a tenant cannot lose: tables, buckets, queues and the user pool. Nothing that is deployed often is in here. */
export class DataStack extends Stack {
  readonly stores: Stores;
  /** Null if the tenant wants no user pool, because its people sign in elsewhere. */
  readonly users: UserDirectory | null;

  constructor(scope: Construct, { tenant, issuer }: DataProps) {
    super(scope, stackNames(tenant.name).data, {
      ...stackProps(tenant),
      description: `Tributary for ${tenant.name}: its data`,
    });
    tag(this, tenant);
    const { protected: isProtected, backup, kmsKeyArn, warmThroughput: warm } = tenant;
    const key = kmsKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'Key', kmsKeyArn);
    const icebergOf = tenant.iceberg && tenant.name;
    this.stores = new Stores(this, 'Stores', { isProtected, key, warm, icebergOf });
    new Backups(this, 'Backups', { stores: this.stores, isProtected, keepDays: backup?.keepDays });
    // The pool stays when an issuer takes its place: a deployed service imports its id until the next deployment.
    this.users =
      issuer || tenant.userPool === false ? null : new UserDirectory(this, 'Identity', { tenant: tenant.name });
    this.#export();
  }

  /**
   * Exports all that a service may import, whether it does now or not: an export that a deployed service still uses
   * cannot be taken away, which would break the deployment in which a function uses a store no more.
   */
  #export(): void {
    const { tables, buckets, queues, stream } = this.stores;
    for (const { tableName, tableArn } of [tables.main, tables.eventLedger])
      for (const value of [tableName, tableArn]) this.exportValue(value);
    for (const { bucketName, bucketArn } of [buckets.raw, buckets.lake])
      for (const value of [bucketName, bucketArn]) this.exportValue(value);
    for (const { queueUrl, queueArn, queueName } of queues.flatMap(({ queue, deadLetters }) => [queue, deadLetters]))
      for (const value of [queueUrl, queueArn, queueName]) this.exportValue(value);
    if (stream) for (const value of [stream.ref, stream.attrArn]) this.exportValue(value);
    if (this.users) this.exportValue(this.users.pool.userPoolId);
  }
}
