import type { CfnTable } from 'aws-cdk-lib/aws-glue';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, LogStream } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { icebergDatabase, icebergPrefix, icebergTables, undeliveredPrefix } from '../../shared/contract/lake.ts';
import { allowActions, allowKey } from '../rights.ts';
import { retainedLogs } from '../tenant.ts';
import { allowTableFiles, allowTables } from './rights.ts';

type EventStreamProps = {
  readonly tenant: string;
  readonly lake: Bucket;
  readonly key: IKey | undefined;
  readonly tables: readonly CfnTable[];
};

/** The stream that delivers events into the landing table, and what it cannot deliver into the bucket of the lake. */
export class EventStream extends Construct {
  readonly stream: CfnDeliveryStream;

  constructor(scope: Construct, id: string, { tenant, lake, key, tables }: EventStreamProps) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('firehose.amazonaws.com') });
    allowTables(role, icebergDatabase(tenant), [icebergTables.landing]);
    allowTableFiles(role, lake, [icebergPrefix, undeliveredPrefix]);
    if (key) allowKey(role, key);
    this.stream = new CfnDeliveryStream(this, 'Stream', {
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: key
        ? { keyType: 'CUSTOMER_MANAGED_CMK', keyArn: key.keyArn }
        : { keyType: 'AWS_OWNED_CMK' },
      icebergDestinationConfiguration: {
        // Nothing is updated or deleted by the stream, which may then grow by itself.
        appendOnly: true,
        roleArn: role.roleArn,
        catalogConfiguration: {
          catalogArn: Stack.of(this).formatArn({ service: 'glue', resource: 'catalog' }),
        },
        destinationTableConfigurationList: [
          { destinationDatabaseName: icebergDatabase(tenant), destinationTableName: icebergTables.landing },
        ],
        bufferingHints: { intervalInSeconds: 300, sizeInMBs: 64 },
        retryOptions: { durationInSeconds: 7_200 },
        s3BackupMode: 'FailedDataOnly',
        s3Configuration: { bucketArn: lake.bucketArn, roleArn: role.roleArn, errorOutputPrefix: undeliveredPrefix },
        cloudWatchLoggingOptions: errorLog(this, role),
      },
    });
    this.stream.applyRemovalPolicy(RemovalPolicy.RETAIN);
    // Firehose tries its role on the table when the stream is made.
    this.stream.node.addDependency(role, ...tables);
  }
}

/** Where the stream writes what it could not deliver, and why. */
function errorLog(scope: Construct, role: Role): CfnDeliveryStream.CloudWatchLoggingOptionsProperty {
  const logGroup = new LogGroup(scope, 'Logs', retainedLogs);
  const { logStreamName } = new LogStream(scope, 'Errors', { logGroup, removalPolicy: RemovalPolicy.DESTROY });
  allowActions(role, 'logs', ['PutLogEvents'], [logGroup.logGroupArn]);
  return { enabled: true, logGroupName: logGroup.logGroupName, logStreamName };
}
