import { gunzipSync, gzipSync } from 'node:zlib';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { dynamodb, s3, sqs } from '../shared/adapters/aws.ts';
import { acceptNativeBatch } from '../shared/domain/collection/accept-batch.ts';
import { seedProject } from '../test/support/collection-seed.ts';
import { meter } from './support/meter.ts';
import { sampleBatch } from './support/sample-batch.ts';
import { startStoresBeside } from './support/stores.ts';

// What collection costs, one JSON line a figure: processor time of a batch of 100, and requests of 1,000 events.
const stores = await startStoresBeside();
process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
// Only now: the runtime reads its environment when it is loaded.
const { collectionFunction } = await import('../shared/runtime/collection-http.ts');
const { collectionPorts, storePorts } = await import('../shared/runtime/collection-ports.ts');
const { storeMessages } = await import('../shared/runtime/store-messages.ts');

const project = await seedProject(
  { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' },
  'https://shop.example',
);
const ports = { ...collectionPorts(), rateGuard: () => null };
const handler = collectionFunction(ports);
const takeCounts = meter([dynamodb(), s3(), sqs()]);
try {
  await measureProcessor();
  for (const size of [1, 10, 100]) await measureRequests(size);
} finally {
  stores.stop();
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'collect', ...figures })}\n`);
}

async function measureProcessor(): Promise<void> {
  const bytes = gzipSync(JSON.stringify(sampleBatch(project.key, 100)));
  const event = eventOf(bytes);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const request = { requestId: 'bench', now: new Date(), headers, query: {}, bytes };
  const noSink = { ...ports, sink: { status: 'accepted' as const, accept: async () => {} } };
  const floor = await processorTime(() => JSON.parse(gunzipSync(bytes).toString()));
  const checks = await processorTime(() => acceptNativeBatch(noSink, request));
  const whole = await processorTime(() => handler(event, {} as Context));
  const again = await processorTime(() => JSON.parse(gunzipSync(bytes).toString()));
  const floorUs = (floor + again) / 2;
  const figures = { floor_us: floorUs, checks_us: checks, handler_us: whole };
  const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)]));
  print({
    events: 100,
    bytes: bytes.length,
    ...rounded,
    checks_to_floor: ratio(checks, floorUs),
    handler_to_floor: ratio(whole, floorUs),
  });
}

function ratio(part: number, whole: number): number {
  return Number((part / whole).toFixed(2));
}

/** Microseconds of processor time a call, user and system, after warming up. */
async function processorTime(work: () => unknown, calls = 500): Promise<number> {
  for (let i = 0; i < calls; i++) await work();
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function measureRequests(size: number): Promise<void> {
  await storeQueued();
  takeCounts();
  for (let sent = 0; sent < 1000; sent += size)
    await handler(eventOf(gzipSync(JSON.stringify(sampleBatch(project.key, size)))), {} as Context);
  const collected = takeCounts();
  await storeQueued();
  const stored = takeCounts();
  const { ReceiveMessage: _, ...workerRequests } = stored.requests;
  const puts = stored.requests['PutObject'] ?? 0;
  print({
    events: 1000,
    batch_size: size,
    collect_requests: collected.requests,
    worker_requests: workerRequests,
    write_units_per_event: stored.writeUnits / 1000,
    s3_puts_per_event: puts / 1000,
  });
}

/** One call of the worker with all that waits, as the event source hands over up to 1,000 messages. */
async function storeQueued(): Promise<void> {
  const messages = [];
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl: process.env['EVENTS_QUEUE_URL'], MaxNumberOfMessages: 10 });
    const { Messages = [] } = await sqs().send(receive);
    if (Messages.length === 0) break;
    messages.push(...Messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body })));
  }
  // They stay in flight, unseen, until this process ends.
  const failed = await storeMessages(storePorts(), messages);
  if (failed.length > 0) throw new Error('the worker failed');
}

function eventOf(bytes: Uint8Array): APIGatewayProxyEvent {
  return {
    httpMethod: 'POST',
    path: '/collect/v1/batch',
    resource: '/collect/v1/batch',
    pathParameters: null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    multiValueHeaders: {},
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
    // The handler reads nothing of it.
    requestContext: {} as APIGatewayProxyEvent['requestContext'],
  };
}
