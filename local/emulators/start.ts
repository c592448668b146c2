import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startDynamodb } from './dynamodb.ts';
import { startQueuesAndObjects } from './queues-and-objects.ts';

export type Emulators = {
  readonly endpoints: { readonly dynamodb: string; readonly s3: string; readonly sqs: string };
  readonly stop: () => Promise<void>;
};

/** Starts what stands for DynamoDB, S3 and SQS; state is kept under `folder`, or only in memory. */
export async function startEmulators(folder: string | null): Promise<Emulators> {
  if (folder) await mkdir(folder, { recursive: true });
  const starting = [
    startDynamodb(folder && path.join(folder, 'dynamodb.sqlite')),
    startQueuesAndObjects(folder),
  ] as const;
  const stop = async (): Promise<void> => {
    for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value.stop();
  };
  try {
    const [tables, rest] = await Promise.all(starting);
    return { endpoints: { dynamodb: tables.endpoint, s3: rest.endpoint, sqs: rest.endpoint }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
