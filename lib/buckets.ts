import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

const guarded = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  removalPolicy: RemovalPolicy.RETAIN,
} as const satisfies BucketProps;

const unfinishedUploads = { abortIncompleteMultipartUploadAfter: Duration.days(1) };

/** Original bytes of every delivery, and the lake of stored events. */
export class Buckets extends Construct {
  readonly raw: Bucket;
  readonly lake: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...guarded,
      lifecycleRules: [{ ...unfinishedUploads, expiration: Duration.days(90) }],
    });
    const logged = (prefix: string): BucketProps => ({
      // The library's own types disagree under exactOptionalPropertyTypes.
      serverAccessLogsBucket: accessLogs as IBucket,
      serverAccessLogsPrefix: prefix,
    });
    this.raw = new Bucket(this, 'Raw', {
      ...guarded,
      ...logged('raw/'),
      // The graph is rebuilt from these bytes: what is overwritten or deleted by mistake can be had back.
      versioned: true,
      lifecycleRules: [
        { ...unfinishedUploads, noncurrentVersionExpiration: Duration.days(30), expiredObjectDeleteMarker: true },
        // An upload that nobody completed is of no use to anybody.
        { prefix: 'uploads/', expiration: Duration.days(2) },
      ],
    });
    this.lake = new Bucket(this, 'Lake', {
      ...guarded,
      ...logged('lake/'),
      lifecycleRules: [
        unfinishedUploads,
        // Long after the dead letters' retention, no message can point at these any more.
        { prefix: 'batches/', expiration: Duration.days(30) },
        { prefix: 'staging/', expiration: Duration.days(30) },
      ],
    });
  }
}
