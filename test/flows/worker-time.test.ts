import { randomUUID } from 'node:crypto';
import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Context, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { dynamodb, sqs } from '../../shared/adapters/aws.ts';
import { handBack, retryDelaySeconds, type UnprocessedMessage } from '../../shared/adapters/sqs/return-messages.ts';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { acceptNativeBatch } from '../../shared/domain/events/accept-batch.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { messageOf } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { projectionWorkerPorts } from '../../shared/runtime/composition/workers.ts';
import { projectionWorker } from '../../shared/runtime/projection-worker.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';
import { storeEventsFunction } from '../../shared/runtime/store-messages.ts';
import { collectRequest } from '../support/collection-ports.ts';
import { type SeededProject, seedProject } from '../support/collection-seed.ts';
import { gathered } from '../support/gathered.ts';
import { drainQueue, intakePorts } from '../support/intake-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let project: SeededProject;
let handed: UnprocessedMessage[];
beforeEach(async () => {
  handed = [];
  project = await seedProject({ client: dynamodb(), name: stores.environment.TABLE_NAME }, 'https://app.acme.test');
});
const recordHandedBack = async (messages: readonly UnprocessedMessage[]) => void handed.push(...messages);

/** The time that is left, by how often it was requested. */
const context = (left: (request: number) => number) => {
  let requested = 0;
  return { awsRequestId: 'run', getRemainingTimeInMillis: () => left(requested++) } as Context;
};

const record = (message: object, receiveCount = 1): SQSRecord =>
  ({
    messageId: randomUUID(),
    receiptHandle: `handle ${randomUUID()}`,
    body: JSON.stringify(message),
    attributes: { ApproximateReceiveCount: String(receiveCount) },
  }) as SQSRecord;

const failuresOf = ({ batchItemFailures }: { batchItemFailures: { itemIdentifier: string }[] }) =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort();
const ids = (records: readonly SQSRecord[]) => records.map(({ messageId }) => messageId).sort();

const event = () => ({
  id: randomUUID(),
  type: 'track',
  timestamp: '2026-11-20T10:00:00Z',
  event: 'E',
  user_id: 'u',
});
const storedIds = async () =>
  (await gathered(storedLines(storeEventsPorts().bucket, project.workspace)))
    .map((line): string => JSON.parse(line).id)
    .sort();

/** Messages of accepted batches, as the queue has them. */
async function accepted(batches: number, events: number) {
  const sent = Array.from({ length: batches }, () => Array.from({ length: events }, event));
  for (const one of sent)
    await acceptNativeBatch(collectPorts(), collectRequest({ project_key: project.key, events: one }));
  const bodies: string[] = [];
  while (bodies.length < batches) {
    const receive = new ReceiveMessageCommand({
      QueueUrl: stores.environment.EVENTS_QUEUE_URL,
      MaxNumberOfMessages: 10,
    });
    bodies.push(...((await sqs().send(receive)).Messages ?? []).map(({ Body = '' }) => Body));
  }
  return {
    bodies,
    ids: sent
      .flat()
      .map(({ id }) => id)
      .sort(),
  };
}

describe('store-events', () => {
  it('stores as far as its time goes, hands the rest back, and a later run ends it: each event once', async () => {
    const { bodies, ids: expected } = await accepted(6, 40);
    let waiting = bodies.map((body) => record(JSON.parse(body)));
    const ports = { ...storeEventsPorts(), handBack: recordHandedBack };
    const rests: number[] = [];
    while (waiting.length > 0) {
      // Time for a hundred and ten claims, which each ask.
      const response = await storeEventsFunction(ports)(
        { Records: waiting },
        context((request) => 60_000 - request * 270),
      );
      const failed = failuresOf(response);
      expect(handed.map(({ receiptHandle }) => receiptHandle).sort()).toEqual(
        waiting
          .filter(({ messageId }) => failed.includes(messageId))
          .map(({ receiptHandle }) => receiptHandle)
          .sort(),
      );
      handed = [];
      waiting = waiting.filter(({ messageId }) => failed.includes(messageId));
      rests.push(waiting.length);
    }
    expect(rests.length).toBeGreaterThan(1);
    expect(rests.length).toBeLessThan(5);
    expect(await storedIds()).toEqual(expected);
  });

  it('takes first what it handed back most often, so that no message runs out of attempts', async () => {
    const { bodies } = await accepted(4, 20);
    const records = bodies.map((body, index) => record(JSON.parse(body), index + 1));
    const ports = { ...storeEventsPorts(), handBack: recordHandedBack };
    const response = await storeEventsFunction(ports)(
      { Records: records },
      context((request) => 60_000 - request * 1_100),
    );
    const [oldest] = records.slice(-1);
    expect(failuresOf(response)).not.toContain(oldest?.messageId);
    expect(failuresOf(response)).toEqual(expect.arrayContaining(ids(records.slice(0, 2))));
  });

  it('waits with the claims that a throttled table refuses, and fails none of the others for them', async () => {
    const { bodies, ids: expected } = await accepted(2, 60);
    const { ledger, ...rest } = storeEventsPorts();
    const refused = new ProvisionedThroughputExceededException({ message: 'too many', $metadata: {} });
    const tried = new Map<string, number>();
    const busy: typeof ledger.claim = async (key, claim) => {
      const attempt = (tried.get(key.id) ?? 0) + 1;
      tried.set(key.id, attempt);
      // Every third event is let through only at its third attempt.
      if (attempt < 3 && [...tried.keys()].indexOf(key.id) % 3 === 0) throw refused;
      return ledger.claim(key, claim);
    };
    const ports = { ...rest, ledger: { ...ledger, claim: busy }, handBack: recordHandedBack };
    const records = bodies.map((body) => record(JSON.parse(body)));
    const response = await storeEventsFunction(ports)(
      { Records: records },
      context(() => 100_000),
    );
    expect([failuresOf(response), handed]).toEqual([[], []]);
    expect([...tried.values()].filter((attempts) => attempts === 3)).toHaveLength(40);
    expect(await storedIds()).toEqual(expected);
  });

  it('returns the claims that the table refuses while time remains', async () => {
    const { bodies } = await accepted(2, 5);
    const { ledger, ...rest } = storeEventsPorts();
    const refused = new ProvisionedThroughputExceededException({ message: 'too many', $metadata: {} });
    const ports = { ...rest, ledger: { ...ledger, claim: () => Promise.reject(refused) }, handBack: recordHandedBack };
    const records = bodies.map((body) => record(JSON.parse(body)));
    const response = await storeEventsFunction(ports)(
      { Records: records },
      context((request) => 60_000 - request * 1_000),
    );
    expect(failuresOf(response)).toEqual(ids(records));
    expect(handed).toHaveLength(2);
  });
});

describe('a message that fails', () => {
  it('shows again soon, not after six times the time of its worker: events that a store refused once', async () => {
    const { bodies } = await accepted(2, 3);
    const { ledger, ...rest } = storeEventsPorts();
    const broken = { ...ledger, claim: () => Promise.reject(new Error('503')) };
    const records = bodies.map((body) => record(JSON.parse(body), 3));
    const ports = { ...rest, ledger: broken, handBack: recordHandedBack };
    const response = await storeEventsFunction(ports)(
      { Records: records },
      context(() => 100_000),
    );
    expect(failuresOf(response)).toEqual(ids(records));
    expect(handed.map(({ receiveCount }) => receiveCount)).toEqual([3, 3]);
  });

  it('shows again soon in every other worker too, and the others of its batch are done', async () => {
    const apply = async ({ fails }: { fails: boolean }) => {
      if (fails) throw new Error('503');
    };
    const worker = queueFunction(v.object({ fails: v.boolean() }), recordHandedBack, apply);
    const records = [record({ fails: true }, 2), record({ fails: false }), record({ other: 1 })];
    const response = await worker(
      { Records: records },
      context(() => 800_000),
    );
    expect(failuresOf(response)).toEqual(ids(records.filter((_, index) => index !== 1)));
    expect(handed.map(({ receiptHandle }) => receiptHandle).sort()).toEqual(
      [records[0], records[2]].map((one) => one?.receiptHandle).sort(),
    );
  });
});

describe('the workers of the projection', () => {
  const workspace = `w-${randomUUID()}` as WorkspaceId;
  const ports = intakePorts;
  beforeAll(async () => void (await drainQueue()));

  it('begin nothing when the time is short: no attempt is counted, and the message shows again soon', async () => {
    const { delivery_id } = await acceptOpenLineage(ports(), {
      workspace,
      kind: 'openlineage_event',
      connectorId: null,
      providerKey: null,
      idempotencyKey: null,
      payload: { bytes: Buffer.from('{}'), contentType: 'application/json', contentEncoding: null },
    });
    const find = async () => {
      const found = await ports().deliveries.get(workspace, delivery_id as DeliveryId);
      if (!found) throw new Error('an accepted delivery is not kept');
      return found;
    };
    const worker = projectionWorker({ ...projectionWorkerPorts(), handBack: recordHandedBack });
    const records = [record(messageOf(await find()), 2)];
    expect(
      failuresOf(
        await worker(
          { Records: records },
          context(() => 5_000),
        ),
      ),
    ).toEqual(ids(records));
    expect(handed).toEqual([{ receiptHandle: records[0]?.receiptHandle, receiveCount: 2 }]);
    expect(await find()).toMatchObject({ state: 'accepted', attempts: 0, open_attempt: null });
    expect(
      failuresOf(
        await worker(
          { Records: records },
          context(() => 800_000),
        ),
      ),
    ).toEqual([]);
    expect((await find()).state).not.toBe('accepted');
  });
});

describe('a message that is handed back', () => {
  it('shows later each time, within the time that a worker’s would hide it at the least', () => {
    expect([1, 2, 3, 4, 5].map(retryDelaySeconds)).toEqual([10, 40, 160, 640, 900]);
  });

  it('becomes visible at the time given to the queue, with however many others', async () => {
    const url = stores.environment.DOCUMENTS_QUEUE_URL;
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        sqs().send(new SendMessageCommand({ QueueUrl: url, MessageBody: String(n) })),
      ),
    );
    const received = [];
    while (received.length < 12) {
      const receive = new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: 900 });
      received.push(...((await sqs().send(receive)).Messages ?? []));
    }
    expect(await drainQueue(['documents'])).toEqual([]);
    // A receipt count of less than one asks for less than a second.
    await handBack(
      { client: sqs(), url },
      received.map(({ ReceiptHandle = '' }) => ({ receiptHandle: ReceiptHandle, receiveCount: -1 })),
    );
    expect((await drainQueue(['documents'])).length).toBe(12);
  });
});
