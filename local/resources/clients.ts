import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { awsEnvironment } from '../emulators/environment.ts';
import type { Emulators } from '../emulators/start.ts';

export type StoreClients = { readonly dynamodb: DynamoDBClient; readonly s3: S3Client; readonly sqs: SQSClient };

type Stores = {
  readonly endpoints: Readonly<Record<keyof StoreClients, string>>;
  readonly keys: Emulators['keys'];
};

/** Does work with clients of the stores, and closes them. */
export async function withClients<T>(
  { endpoints, keys: credentials }: Stores,
  work: (clients: StoreClients) => Promise<T>,
): Promise<T> {
  const common = { region: awsEnvironment.region, credentials };
  const clients: StoreClients = {
    dynamodb: new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb }),
    s3: new S3Client({ ...common, endpoint: endpoints.s3, forcePathStyle: true }),
    sqs: new SQSClient({ ...common, endpoint: endpoints.sqs }),
  };
  try {
    return await work(clients);
  } finally {
    for (const client of Object.values(clients)) client.destroy();
  }
}
