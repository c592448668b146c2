import { setTimeout as after } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Connection } from '../connect.ts';

const counters = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** AWS counts approximately: it has to say that nothing is left several times, some seconds apart. */
const cadences = { local: { times: 1, everyMs: 50 }, aws: { times: 4, everyMs: 5_000 } };
const givesUpAfterMs = 600_000;

/** Resolves once the queue of accepted batches is empty and no worker holds one; throws after ten minutes. */
export async function waitUntilStored(connection: Pick<Connection, 'sqs' | 'names' | 'local'>): Promise<void> {
  const { times, everyMs } = connection.local ? cadences.local : cadences.aws;
  const deadline = Date.now() + givesUpAfterMs;
  for (let seen = 0; ; ) {
    seen = (await waiting(connection)) === 0 ? seen + 1 : 0;
    if (seen === times) return;
    if (Date.now() > deadline)
      throw new Error('Accepted events are still waiting to be stored; see the runbook on the events queue.');
    await after(everyMs);
  }
}

async function waiting({ sqs, names }: Pick<Connection, 'sqs' | 'names'>): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: names.events_queue_url, AttributeNames: [...counters] }),
  );
  return counters.reduce((sum, counter) => sum + Number(Attributes?.[counter] ?? 0), 0);
}
