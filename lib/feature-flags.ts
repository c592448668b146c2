import { FLAGS } from 'aws-cdk-lib/cx-api';
import type { IConstruct } from 'constructs';

/** CDK behaviours that every synthesis of the stack uses, on the command line and in process alike. */
export const featureFlags: Readonly<Record<string, boolean>> = {
  '@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-lambda:recognizeLayerVersion': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/aws-apigateway:disableCloudWatchRole': true,
  '@aws-cdk/core:enablePartitionLiterals': true,
  '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
};

/**
 * Gives a stack these flags whatever its app sets: a flag of the app could replace a table. The list of partitions stays
 * the app's.
 */
export function pinFlags({ node }: IConstruct): void {
  for (const [flag, { introducedIn, recommendedValue, unconfiguredBehavesLike }] of Object.entries(FLAGS))
    if (introducedIn.v2 !== undefined && !Array.isArray(recommendedValue))
      node.setContext(flag, featureFlags[flag] ?? unconfiguredBehavesLike?.v2 ?? false);
}
