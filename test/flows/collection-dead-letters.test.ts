import { randomBytes, randomUUID } from 'node:crypto';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from 'vitest';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { dynamodb, sqs } from '../../shared/adapters/aws.ts';
import { redrive } from '../../shared/adapters/sqs/redrive.ts';
import { acceptNativeBatch } from '../../shared/domain/events/accept-batch.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { collectRequest } from '../support/collection-ports.ts';
import { type SeededProject, seedProject } from '../support/collection-seed.ts';
import { storeQueued } from '../support/events-worker.ts';
import { gathered } from '../support/gathered.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let project: SeededProject;
let queueUrl: string;
let deadLetterQueueUrl: string;

beforeAll(async () => {
  const { TABLE_NAME, EVENTS_QUEUE_URL, EVENTS_DEAD_LETTER_QUEUE_URL } = stores.environment;
  project = await seedProject({ client: dynamodb(), name: TABLE_NAME }, 'https://app.acme.test');
  [queueUrl, deadLetterQueueUrl] = [EVENTS_QUEUE_URL, EVENTS_DEAD_LETTER_QUEUE_URL];
});

const event = (properties: object = {}) => ({
  id: randomUUID(),
  type: 'track',
  timestamp: '2026-11-20T10:00:00Z',
  event: 'Order Placed',
  user_id: 'u-1',
  properties,
});

/** 33 of these fill a body, and once packed no message holds them. */
const noise = () => event({ noise: randomBytes(23_625).toString('base64') });

/** Looks at waiting messages without taking them. */
async function waiting(url: string): Promise<string[]> {
  const look = new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
  return ((await sqs().send(look)).Messages ?? []).map(({ Body = '' }) => Body).sort();
}

const storedIds = async () => {
  const lines = await gathered(storedLines(storeEventsPorts().bucket, project.workspace));
  return lines.map((line): string => JSON.parse(line).id).sort();
};

describe('batches that cannot be stored', () => {
  it('wait among the dead letters as they were, and are stored once they are sent again', async () => {
    const [small, large] = [[event(), event()], Array.from({ length: 33 }, noise)];
    for (const events of [small, large])
      await acceptNativeBatch(collectPorts(), collectRequest({ project_key: project.key, events }));
    await sqs().send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: '{"version":1}' }));
    const sent = await waiting(queueUrl);
    expect(sent.map((body) => JSON.parse(body).rows?.in).sort()).toEqual(['message', 'object', undefined]);

    const ports = storeEventsPorts();
    const broken = { ...ports, ledger: { ...ports.ledger, claim: () => Promise.reject(new Error('out of reach')) } };
    expect(await storeQueued(broken, queueUrl)).toBe(0);
    expect(await waiting(queueUrl)).toEqual([]);
    expect(await waiting(deadLetterQueueUrl)).toEqual(sent);
    expect(await storedIds()).toEqual([]);

    expect(await redrive(sqs(), { deadLetterQueueUrl, queueUrl })).toBe(3);
    // What was never a batch fails again, and keeps none of the others from being stored.
    expect(await storeQueued(ports, queueUrl)).toBe(2);
    expect(await waiting(deadLetterQueueUrl)).toEqual(['{"version":1}']);
    expect(await storedIds()).toEqual([...small, ...large].map(({ id }) => id).sort());
  });
});
