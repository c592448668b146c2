import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { dollarsOf } from '../../bench/cost/prices.ts';
import { storedBytes } from '../../bench/cost/stored.ts';
import { eventLedger } from '../../shared/adapters/dynamodb/events/event-ledger.ts';
import { eventClaimKey, storeRunKey } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { waitOut } from '../../shared/adapters/dynamodb/requests/transact.ts';
import { eventLake, readStoredObject, storedObjects } from '../../shared/adapters/s3/event-lake.ts';
import { type EventsQueue, enqueueBatch, openBatch } from '../../shared/adapters/sqs/events-queue.ts';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { storedObjectKey } from '../../shared/contract/lake.ts';
import { type EventLedger, linesOf, storeBatches } from '../../shared/domain/events/store/store-batches.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let ledger: EventLedger;
let queue: EventsQueue;

beforeAll(() => {
  const { EVENT_TABLE_NAME, LAKE_BUCKET, EVENTS_QUEUE_URL } = stores.environment;
  ledger = eventLedger({ client: stores.client, name: EVENT_TABLE_NAME }, 400);
  const bucket = { client: new S3Client({ forcePathStyle: true }), name: LAKE_BUCKET };
  queue = { client: new SQSClient({}), url: EVENTS_QUEUE_URL, bucket };
});

const workspace = v.parse(WorkspaceId, 'ws');
const origin = {
  workspace_id: workspace,
  project_id: v.parse(CollectionProjectId, 'shop'),
  environment: 'prod',
  received_at: '2026-11-21T09:30:00.000Z',
  request_id: 'r-1',
  trusted: true,
};

describe('the ledger of event ids', () => {
  const keyOf = (id: string) => ({ ...origin, id });
  const claim = () => ({ batchId: randomUUID(), runId: randomUUID() });

  it('keeps the first claim of an id and tells it to the second', async () => {
    const [key, first] = [keyOf(randomUUID()), claim()];
    expect(await ledger.claim(key, first)).toBeNull();
    expect(await ledger.claim(key, claim())).toEqual(first);
    expect(await ledger.claim({ ...key, environment: 'dev' }, claim())).toBeNull();
  });

  it('keeps no more of an id than what 400 days of a million cost 40 cents for, with its dearer write', async () => {
    const key = keyOf('an id of a sender that is as long as an id may be'.padEnd(200, '-'));
    await ledger.claim(key, claim());
    const { pk } = eventClaimKey(key.workspace_id, key.project_id, key.environment, key.id);
    const TableName = stores.environment.EVENT_TABLE_NAME;
    const { Item = {} } = await stores.client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk } } }));
    const million = storedBytes(Item) * 1e6;
    const dearer = 1e6 * (dollarsOf({ ledger_write_units: 1 }) - dollarsOf({ write_units: 1 }));
    expect(dearer + dollarsOf({ ledger_gb_months: (million / 2 ** 30) * (400 / 30.4) })).toBeLessThan(0.4);
  });

  it('keeps claims and runs for the configured number of days, also those that moved', async () => {
    const [key, run] = [keyOf(randomUUID()), randomUUID()];
    const from = { batchId: randomUUID(), runId: run };
    await ledger.claim(key, from);
    await ledger.moveClaim(key, from, randomUUID());
    await ledger.settleRun(run, 'committed');
    const claimed = eventClaimKey(key.workspace_id, key.project_id, key.environment, key.id);
    for (const pk of [claimed.pk, storeRunKey(run).pk]) {
      const { Item } = await stores.client.send(
        new GetItemCommand({ TableName: stores.environment.EVENT_TABLE_NAME, Key: { pk: { S: pk } } }),
      );
      const days = (Number(Item?.['ttl']?.N) - Date.now() / 1_000) / 86_400;
      expect(Math.round(days)).toBe(400);
    }
  });

  it('moves a claim only from where it is', async () => {
    const [key, first, second] = [keyOf(randomUUID()), claim(), randomUUID()];
    await ledger.claim(key, first);
    expect(await ledger.moveClaim(key, first, second)).toBeNull();
    expect(await ledger.moveClaim(key, first, randomUUID())).toEqual({ ...first, runId: second });
  });

  it('settles a run once', async () => {
    const run = randomUUID();
    expect(await ledger.settleRun(run, 'abandoned')).toBe('abandoned');
    expect(await ledger.settleRun(run, 'committed')).toBe('abandoned');
  });
});

describe('the way from the queue to the lake', () => {
  const receive = async () => {
    const command = new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 });
    return (await queue.client.send(command)).Messages?.map(({ Body }) => Body ?? '') ?? [];
  };
  const rows = async () => {
    const found = (await storedObjects(queue.bucket, workspace)).map(async (object) => {
      const lines = linesOf(object, (await readStoredObject(queue.bucket, object)) ?? new Uint8Array());
      return Array.from(lines, (line) => ({ key: storedObjectKey(object), line, row: JSON.parse(line) }));
    });
    return (await Promise.all(found)).flat();
  };

  it('stores events as sent with their origin, also of a batch that no message can hold', async () => {
    const noise = Array.from({ length: 40 }, () => ({
      id: randomUUID(),
      blob: Buffer.from(Array.from({ length: 24_000 }, () => Math.floor(Math.random() * 256)))
        .toString('base64')
        .slice(0, 31_000),
    }));
    const digits = '{"id":"digits","type":"track","properties":{"n":12345678901234567890}}';
    await enqueueBatch(queue, { batchId: randomUUID(), origin, lines: noise.map((event) => JSON.stringify(event)) });
    await enqueueBatch(queue, { batchId: randomUUID(), origin, lines: [digits] });
    const messages = [...(await receive()), ...(await receive())].slice(0, 2);
    expect(messages.map((body) => JSON.parse(body).rows.in).sort()).toEqual(['message', 'object']);
    const batches = await Promise.all(messages.map((body) => openBatch(queue.bucket, body)));
    const ports = { ledger, lake: eventLake(queue.bucket), newRunId: randomUUID, waitOut };
    await Promise.all([storeBatches(ports, batches), storeBatches(ports, batches)]);
    await storeBatches(ports, batches);

    const stored = await rows();
    expect(stored.map(({ row }) => row.id).sort()).toEqual([...noise.map(({ id }) => id), 'digits'].sort());
    const retained = stored.find(({ row }) => row.id === 'digits');
    expect(retained?.line).toBe(`${digits.slice(0, -1)},${JSON.stringify(origin).slice(1)}`);
    expect(retained?.key).toMatch(
      /^events\/workspace=ws\/project=shop\/environment=prod\/date=2026-11-21\/hour=09\/[^/]+\.ndjson\.gz$/,
    );
  });
});
