import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import { acknowledge } from '../acknowledge.ts';
import { allowActions, bucketInFindings } from '../rights.ts';

/** Allows reading tables of a database, and putting a newer version of each in its place. */
export function allowTables(role: Role, database: string, tables: readonly string[]): void {
  const tableArns = tables.map((name) => glueArn(role, 'table', `${database}/${name}`));
  const resources = [glueArn(role, 'catalog'), glueArn(role, 'database', database), ...tableArns];
  allowActions(role, 'glue', ['GetDatabase', 'GetTable', 'UpdateTable'], resources);
}

/** Athena looks the database `default` up for every statement, whatever database the statement names. */
export function allowDefaultDatabase(role: Role): void {
  allowActions(role, 'glue', ['GetDatabase'], [glueArn(role, 'catalog'), glueArn(role, 'database', 'default')]);
}

const glueArn = (role: Role, resource: string, resourceName?: string): string =>
  Stack.of(role).formatArn({ service: 'glue', resource, ...(resourceName && { resourceName }) });

const fileActions = ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'];
const bucketActions = ['GetBucketLocation', 'ListBucket', 'ListBucketMultipartUploads'];

/** Allows the files of tables: all objects below some prefixes of the lake's bucket. */
export function allowTableFiles(role: Role, lake: Bucket, prefixes: readonly string[]): void {
  const arns = prefixes.map((prefix) => lake.arnForObjects(`${prefix}*`));
  allowActions(role, 's3', fileActions, arns);
  allowActions(role, 's3', bucketActions, [lake.bucketArn]);
  for (const prefix of prefixes)
    acknowledge(role, {
      [`AwsSolutions-IAM5[Resource::${bucketInFindings(role, lake)}/${prefix}*]`]:
        'Iceberg names the files of a table when it writes them.',
    });
}
