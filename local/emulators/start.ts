import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type AccessKeys, newAccessKeys } from './access-keys.ts';
import { startDynamodb } from './dynamodb.ts';
import { startQueuesAndObjects } from './queues-and-objects.ts';
import { startSecrets } from './secrets.ts';

type Endpoints = Readonly<Record<'dynamodb' | 's3' | 'sqs' | 'secretsManager', string>>;

export type Emulators = {
  /** For whoever has the keys. */
  readonly endpoints: Endpoints;
  /** For this process and its threads: never written down. */
  readonly innerEndpoints: Endpoints;
  /** What requests have to be signed with. */
  readonly keys: AccessKeys;
  readonly stop: () => Promise<void>;
};

/** Starts what stands for DynamoDB, S3, SQS and Secrets Manager; state is kept under `folder`, or only in memory. */
export async function startEmulators(folder: string | null): Promise<Emulators> {
  if (folder) await mkdir(folder, { recursive: true });
  const keys = newAccessKeys();
  const starting = [
    startDynamodb(keys, folder && path.join(folder, 'dynamodb.sqlite')),
    startQueuesAndObjects(keys, folder),
    startSecrets(keys, folder),
  ] as const;
  const stop = async (): Promise<void> => {
    for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value.stop();
  };
  try {
    const [tables, rest, secrets] = await Promise.all(starting);
    const others = { s3: rest.endpoint, sqs: rest.endpoint, secretsManager: secrets.endpoint };
    return {
      endpoints: { dynamodb: tables.endpoint, ...others },
      innerEndpoints: { dynamodb: tables.innerEndpoint, ...others },
      keys,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
