import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { awsEnvironment } from '../aws-environment.ts';
import type { Emulators } from '../emulators/start.ts';
import type { Wiring } from '../template/wiring.ts';
import { createBuckets } from './buckets.ts';
import { createQueues } from './queues.ts';
import { createTables } from './tables.ts';

/** Creates the template's tables, buckets and queues in the emulators; what exists stays as it is. */
export async function createResources({ endpoints, keys }: Emulators, wiring: Wiring): Promise<void> {
  const common = { region: awsEnvironment.region, credentials: keys };
  const dynamodb = new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb });
  const s3 = new S3Client({ ...common, endpoint: endpoints.s3, forcePathStyle: true });
  const sqs = new SQSClient({ ...common, endpoint: endpoints.sqs });
  try {
    await Promise.all([createTables(dynamodb, wiring), createBuckets(s3, wiring), createQueues(sqs, wiring)]);
  } finally {
    for (const client of [dynamodb, s3, sqs]) client.destroy();
  }
}
