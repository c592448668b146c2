import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
  StorageClass,
} from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  comparisonsPrefix,
  manifestsPrefix,
  namesPrefix,
  rawPrefix,
  undeliveredPrefix,
  webhooksPrefix,
} from '../shared/contract/lake.ts';
import { limits } from '../shared/contract/limits.ts';

const guarded = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  removalPolicy: RemovalPolicy.RETAIN,
} as const satisfies BucketProps;

const unfinishedUploads = { abortIncompleteMultipartUploadAfter: Duration.days(1) };

type BucketsProps = { readonly key: IKey | undefined };

const encryptedBy = (key: IKey | undefined): BucketProps =>
  key
    ? // One data key for many objects, or each would be a request of KMS.
      { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED };

/** Original bytes of every delivery, and the lake of stored events. */
export class Buckets extends Construct {
  readonly raw: Bucket;
  readonly lake: Bucket;

  constructor(scope: Construct, id: string, { key }: BucketsProps) {
    super(scope, id);
    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...guarded,
      // S3 writes its access logs under no other key.
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ ...unfinishedUploads, expiration: Duration.days(90) }],
    });
    const logged = (prefix: string): BucketProps => ({
      ...guarded,
      ...encryptedBy(key),
      // The library's own types disagree under exactOptionalPropertyTypes.
      serverAccessLogsBucket: accessLogs as IBucket,
      serverAccessLogsPrefix: prefix,
    });
    this.raw = new Bucket(this, 'Raw', {
      ...logged('raw/'),
      // The graph is rebuilt from these bytes: what is overwritten or deleted by mistake can be had back.
      versioned: true,
      lifecycleRules: rawLifecycle(),
    });
    this.lake = new Bucket(this, 'Lake', {
      ...logged('lake/'),
      // The compactor deletes what it rewrote: for a week, what it got wrong can be restored. AWS Backup needs versions too.
      versioned: true,
      lifecycleRules: lakeLifecycle(),
    });
  }
}

/** As long as DynamoDB restores tables to a point in time: a restored item finds its bytes. */
const restorableDays = 35;

const rawLifecycle = (): LifecycleRule[] => [
  { ...unfinishedUploads, noncurrentVersionExpiration: Duration.days(restorableDays), expiredObjectDeleteMarker: true },
  // Read when they come and when a graph is made anew; S3 leaves objects below 128 KB where they are.
  {
    prefix: rawPrefix,
    transitions: [{ storageClass: StorageClass.INTELLIGENT_TIERING, transitionAfter: Duration.days(30) }],
  },
  // An upload that nobody completed is of no use to anybody.
  { prefix: 'uploads/', expiration: Duration.days(2) },
  ...[webhooksPrefix, manifestsPrefix].map((prefix) => ({
    prefix,
    expiration: Duration.days(limits.codehost.keptDays),
  })),
  { prefix: comparisonsPrefix, expiration: Duration.days(limits.diff.keptDays) },
  // Written again every week.
  { prefix: namesPrefix, expiration: Duration.days(30) },
];

const lakeLifecycle = (): LifecycleRule[] => [
  { ...unfinishedUploads, noncurrentVersionExpiration: Duration.days(7), expiredObjectDeleteMarker: true },
  // Long after the dead letters' retention, no message can point at these any more.
  { prefix: 'batches/', expiration: Duration.days(30) },
  { prefix: 'staging/', expiration: Duration.days(30) },
  // An alarm rings when an object is written here: somebody has a quarter of a year to deliver its events.
  { prefix: undeliveredPrefix, expiration: Duration.days(90) },
];
