import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { AccessKeys } from './access-keys.ts';
import type { Emulator } from './dynamodb.ts';

/** Starts an emulator of SQS and S3 in a thread of its own, guarded as the other; without a folder the data dies with it. */
export async function startQueuesAndObjects(keys: AccessKeys, folder: string | null): Promise<Emulator> {
  if (folder) releaseMessages(path.join(folder, 'fauxqs.db'));
  const thread = new Worker(new URL('./fauxqs-thread.ts', import.meta.url), {
    workerData: { folder, keys },
  });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, innerEndpoint: endpoint, stop: async () => void (await thread.terminate()) };
}

/**
 * Whoever was working a message died with the last run: it need not wait for its visibility time-out, and that it was
 * received says nothing of it.
 */
function releaseMessages(file: string): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  database.exec(`
    UPDATE sqs_messages SET visibility_deadline = 1, approximate_receive_count = max(0, approximate_receive_count - 1)
    WHERE visibility_deadline IS NOT NULL`);
  database.close();
}
