import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import { acknowledge } from '../acknowledge.ts';
import { bucketInFindings } from '../rights.ts';

/** Allows reading tables of a database, and putting a newer version of each in its place. */
export function allowTables(role: Role, database: string, tables: readonly string[]): void {
  const arnOf = (resource: string, resourceName: string) =>
    Stack.of(role).formatArn({ service: 'glue', resource, resourceName });
  const catalog = Stack.of(role).formatArn({ service: 'glue', resource: 'catalog' });
  const resources = [
    catalog,
    arnOf('database', database),
    ...tables.map((name) => arnOf('table', `${database}/${name}`)),
  ];
  const actions = ['GetDatabase', 'GetTable', 'UpdateTable'].map((name) => `glue:${name}`);
  role.addToPolicy(new PolicyStatement({ actions, resources }));
}

/** Athena looks the database `default` up for every statement, whatever database the statement names. */
export function allowDefaultDatabase(role: Role): void {
  const arnOf = (resource: string, resourceName?: string) =>
    Stack.of(role).formatArn({ service: 'glue', resource, ...(resourceName && { resourceName }) });
  const resources = [arnOf('catalog'), arnOf('database', 'default')];
  role.addToPolicy(new PolicyStatement({ actions: ['glue:GetDatabase'], resources }));
}

const fileActions = ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'];
const bucketActions = ['GetBucketLocation', 'ListBucket', 'ListBucketMultipartUploads'];

/** Allows the files of tables: all objects below some prefixes of the lake's bucket. */
export function allowTableFiles(role: Role, lake: Bucket, prefixes: readonly string[]): void {
  const named = (names: readonly string[]) => names.map((name) => `s3:${name}`);
  const arns = prefixes.map((prefix) => lake.arnForObjects(`${prefix}*`));
  role.addToPolicy(new PolicyStatement({ actions: named(fileActions), resources: arns }));
  role.addToPolicy(new PolicyStatement({ actions: named(bucketActions), resources: [lake.bucketArn] }));
  for (const prefix of prefixes)
    acknowledge(role, {
      [`AwsSolutions-IAM5[Resource::${bucketInFindings(role, lake)}/${prefix}*]`]:
        'Iceberg names the files of a table when it writes them.',
    });
}
