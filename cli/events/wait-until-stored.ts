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
const timeoutMs = 600_000;

type Stores = Pick<Connection, 'sqs' | 'names' | 'local'>;

/** Accepted batches that are in no object of the lake, of all workspaces. */
export type Unstored = {
  readonly queued: number;
  /** Could not be stored, and are tried again only when they are sent again. */
  readonly deadLetters: number;
};

/** Waits until no accepted batch is queued: at most ten minutes, or with `forAll` until dead letters are gone too. */
export async function waitUntilStored(stores: Stores, { forAll }: { readonly forAll: boolean }): Promise<Unstored> {
  const { times, everyMs } = stores.local ? cadences.local : cadences.aws;
  const deadline = Date.now() + timeoutMs;
  for (let seen = 0; ; ) {
    const unstored = await count(stores);
    seen = isDone(unstored, forAll) ? seen + 1 : 0;
    if (seen === times || (!forAll && Date.now() > deadline)) return unstored;
    await after(everyMs);
  }
}

const isDone = ({ queued, deadLetters }: Unstored, forAll: boolean): boolean =>
  queued === 0 && (deadLetters === 0 || !forAll);

/** The queue first: what becomes a dead letter in between is counted twice, and not missed. */
async function count({ sqs, names }: Stores): Promise<Unstored> {
  const messagesIn = async (QueueUrl: string): Promise<number> => {
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counters] }));
    return counters.reduce((sum, counter) => sum + Number(Attributes?.[counter] ?? 0), 0);
  };
  const queued = await messagesIn(names.events_queue_url);
  return { queued, deadLetters: await messagesIn(names.events_dead_letter_queue_url) };
}
