import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { firehose } from '../../shared/adapters/aws.ts';
import { eventCountReader } from '../../shared/adapters/dynamodb/events/event-ledger.ts';
import { type EventStream, putEvents } from '../../shared/adapters/firehose/event-stream.ts';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { landingColumns } from '../../shared/contract/lake.ts';
import { collectPorts } from '../../shared/runtime/composition/collection.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();

const Call = v.object({ DeliveryStreamName: v.string(), Records: v.array(v.object({ Data: v.string() })) });
type Row = Readonly<Record<string, string>>;

let server: Server;
let stream: EventStream;
/** Bodies of the calls that came, and the rows that the stream took, in the order of their coming. */
let calls: { readonly bytes: number; readonly rows: readonly Row[] }[];
let used: Row[];
let pauses: number[];
/** Whether the stream takes a record of a call, by the numbers of both. */
let takes: (call: number, record: number) => boolean;
/** The status of a call; 200 unless specified otherwise. */
let statusOf: (call: number) => number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { Records, DeliveryStreamName } = v.parse(Call, JSON.parse(body.toString()));
    expect(request.headers['x-amz-target']).toBe('Firehose_20150804.PutRecordBatch');
    expect(DeliveryStreamName).toBe('events');
    const rows = Records.map(({ Data }): Row => JSON.parse(Buffer.from(Data, 'base64').toString()));
    const call = calls.push({ bytes: body.length, rows }) - 1;
    response.writeHead(statusOf(call), { 'content-type': 'application/x-amz-json-1.1' });
    if (statusOf(call) !== 200) {
      response.end(JSON.stringify({ __type: 'ServiceUnavailableException' }));
      return;
    }
    const RequestResponses = rows.map((row, record) => {
      if (!takes(call, record)) return { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'Slow down.' };
      used.push(row);
      return { RecordId: `${call}-${record}` };
    });
    const FailedPutCount = RequestResponses.filter(({ ErrorCode }) => ErrorCode).length;
    response.end(JSON.stringify({ FailedPutCount, Encrypted: true, RequestResponses }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_FIREHOSE', `http://127.0.0.1:${port}`);
  stream = { client: firehose(), name: 'events', pause: async (attempt) => void pauses.push(attempt) };
});
beforeEach(() => {
  [calls, used, pauses, takes, statusOf] = [[], [], [], () => true, () => 200];
});
afterAll(() => {
  stream.client.destroy();
  server.close();
  vi.unstubAllEnvs();
});

const origin = {
  workspace_id: v.parse(WorkspaceId, 'ws'),
  project_id: v.parse(CollectionProjectId, 'shop'),
  environment: 'prod',
  received_at: '2026-11-21T09:30:00.000Z',
  request_id: 'r-1',
  trusted: true,
};
const put = (lines: readonly string[]) => putEvents(stream, { batchId: 'b', origin, lines });
const events = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ id: `e${n}`, type: 'track', ...more }));
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

it('puts an event with every column as text, empty if it says nothing, and with the digits that were sent', async () => {
  await put(['{"id":"e","type":"track","user_id":null,"properties":{"n":12345678901234567890},"groups":{"a":"b"}}']);
  const [row = {}] = used;
  expect(Object.keys(row).toSorted()).toEqual([...landingColumns].toSorted());
  expect(Object.entries(row).filter(([, text]) => text !== '')).toEqual(
    expect.arrayContaining([
      ['id', 'e'],
      ['properties', '{"n":12345678901234567890}'],
      ['groups', '{"a":"b"}'],
      ['environment', 'prod'],
      ['received_at', '2026-11-21T09:30:00.000Z'],
      ['received_date', '2026-11-21'],
      ['trusted', 'true'],
    ]),
  );
  expect(row['user_id']).toBe('');
});

it('puts the first of an id that a batch has twice', async () => {
  await put(['{"id":"e","type":"track","event":"first"}', '{"id":"e","type":"track","event":"second"}']);
  expect(used.map(({ event }) => event)).toEqual(['first']);
});

it('puts a UUID in one form, so that the merge finds it in either case (C-LAKE-1)', async () => {
  const id = '0192F3A0-0000-7000-8000-00000000000A';
  await put([JSON.stringify({ id, event: 'first' }), JSON.stringify({ id: id.toLowerCase(), event: 'second' })]);
  expect(used.map(({ id, event }) => [id, event])).toEqual([[id.toLowerCase(), 'first']]);
});

it('retries only the records that the stream did not accept, until it has each once', async () => {
  takes = (call, record) => (call + record) % 2 === 0;
  await put(events(10));
  expect(idsOf(used).toSorted()).toEqual(idsOf(calls[0]?.rows ?? []).toSorted());
  expect(calls.map(({ rows }) => rows.length)).toEqual([10, 5, 3, 1, 1]);
  expect(pauses).toEqual([1, 2, 3, 4]);
});

it('waits out a stream that is not there, by the client', async () => {
  statusOf = (call) => (call < 2 ? 503 : 200);
  await put(events(3));
  expect(idsOf(used)).toEqual(['e0', 'e1', 'e2']);
});

it('fails if the stream repeatedly accepts only a part, without values of the records', async () => {
  takes = (_, record) => record > 0;
  const failure = await put(events(3, { event: 'secret' })).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'event_stream_refused', message: 'the stream refused 1 of 3 records' });
  expect(JSON.stringify(failure) + String(failure)).not.toContain('secret');
});

it('keeps each call within 4 MiB, though a batch is larger', async () => {
  const large = events(100, { properties: { text: '"'.repeat(15_000) } });
  await put(large);
  expect(calls.length).toBeGreaterThan(1);
  for (const { bytes } of calls) expect(bytes).toBeLessThanOrEqual(4.1 * 1024 * 1024);
  expect(used).toHaveLength(100);
});

it('is where collect puts events that a tenant has in Iceberg tables, counted as stored', async () => {
  vi.stubEnv('COLLECTION_SINK', 'iceberg');
  vi.stubEnv('EVENT_STREAM_NAME', 'events');
  const { sink } = collectPorts();
  expect(sink.status).toBe('accepted');
  await sink.accept({ batchId: 'b', origin, lines: events(2) });
  expect(idsOf(used)).toEqual(['e0', 'e1']);
  const ledger = { client: stores.client, name: stores.environment.EVENT_TABLE_NAME };
  const [day] = await eventCountReader(ledger)(origin.workspace_id, origin.project_id, ['2026-11-21']);
  expect(day).toMatchObject({ accepted: 2, repeated: 0 });
});
