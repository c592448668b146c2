import { gunzipSync, gzipSync } from 'node:zlib';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { dynamodb, s3 } from '../shared/adapters/aws.ts';
import { enqueueBatch } from '../shared/adapters/sqs/events-queue.ts';
import { TrackingPlan } from '../shared/contract/tracking-plan.ts';
import type { AcceptedBatch } from '../shared/domain/events/accept-batch.ts';
import { seedProject } from '../test/support/collection-seed.ts';
import { receivedEvents } from './cost/received-events.ts';
import { collectionEvent } from './support/collection-event.ts';
import { cpuMsOf, printerOf, rounded } from './support/figures.ts';
import { sampleBatch } from './support/sample-batch.ts';
import { startStoresProcess } from './support/stores.ts';
import { countUnits } from './support/units.ts';

// What collection costs, one JSON line a figure: processor time of a batch of 100, and requests of 1,000 events.
const stores = await startStoresProcess();
Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_LOG_LEVEL: 'CRITICAL' });
// Only now: the runtime reads its environment when it is loaded.
const { collectionFunction } = await import('../shared/runtime/collection-http.ts');
const { collectPorts, storeEventsPorts } = await import('../shared/runtime/composition/collection.ts');
const { storeMessages } = await import('../shared/runtime/store-messages.ts');

const project = await seedProject(
  { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' },
  'https://shop.example',
);
const ports = { ...collectPorts(), rateGuard: async () => null };
const handler = collectionFunction(ports);
type SampleBatch = ReturnType<typeof sampleBatch>;

/** The same events as senders of each format write them. */
const formats = {
  native: { path: '/collect/v1/batch', headers: {}, body: (batch: SampleBatch): object => batch },
  posthog: { path: '/collect/batch', headers: {}, body: (batch: SampleBatch) => posthogBody(batch, 'v0') },
  posthog_v1: {
    path: '/collect/i/v1/analytics/events',
    headers: { Authorization: `Bearer ${project.key}` },
    body: (batch: SampleBatch) => posthogBody(batch, 'v1'),
  },
  segment: {
    path: '/collect/segment/v1/batch',
    headers: {},
    body: ({ project_key, events }: SampleBatch) => ({
      writeKey: project_key,
      batch: events.map(({ id, user_id, session_id, context, ...event }) => ({
        ...event,
        messageId: id,
        userId: user_id,
        context: { ...context, sessionId: session_id },
      })),
    }),
  },
} as const;
type Format = keyof typeof formats;

function posthogBody({ project_key, events }: SampleBatch, mode: 'v0' | 'v1'): object {
  const batch = events.map(({ id, event, timestamp, user_id, session_id, properties, context }) => {
    const { url, title } = context.page;
    const own = { ...properties, $current_url: url, title, $raw_user_agent: context.user_agent };
    const common = { uuid: id, event, timestamp, distinct_id: user_id };
    return mode === 'v0'
      ? { ...common, properties: { ...own, $session_id: session_id } }
      : { ...common, session_id, options: {}, properties: own };
  });
  return mode === 'v0' ? { api_key: project_key, batch } : { batch };
}

/** What the sample's events should have: they do. */
const plan = v.parse(TrackingPlan, {
  mode: 'block',
  additional_events: false,
  events: {
    'Order Placed': {
      type: 'object',
      required: ['total', 'currency', 'items', 'path'],
      properties: {
        total: { type: 'number', minimum: 0 },
        currency: { enum: ['EUR', 'USD', 'GBP'] },
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['sku', 'quantity'],
            properties: { sku: { type: 'string', minLength: 1 }, quantity: { type: 'integer', minimum: 1 } },
          },
        },
        path: { type: 'string', maxLength: 1_000 },
      },
      additionalProperties: false,
    },
  },
});

const print = printerOf('collect');
const [rounds, calls] = [20, 25];
type Work = () => unknown;
const used = countUnits(dynamodb());
try {
  for (const format of Object.keys(formats) as Format[]) await measureProcessor(format);
  await measureProcessor('native', plan);
  for (const size of [1, 10, 100]) await measureRequests(size);
} finally {
  stores.stop();
}

async function measureProcessor(format: Format, trackingPlan: TrackingPlan | null = null): Promise<void> {
  const { path, body, headers } = formats[format];
  const bytes = gzipSync(JSON.stringify(body(sampleBatch(project.key, 100))));
  const event = collectionEvent(bytes, path, headers);
  const queue = { url: 'queue', bucket: { client: s3(), name: 'lake' }, client: silentClient() };
  const sink = { status: 'accepted' as const, accept: (batch: AcceptedBatch) => enqueueBatch(queue, batch) };
  const keys = {
    ...ports.keys,
    projectKey: async (hash: string) => {
      const key = await ports.keys.projectKey(hash);
      return key && { ...key, isPlanned: trackingPlan !== null };
    },
    trackingPlan: async () => trackingPlan,
  };
  const unsent = collectionFunction({ ...ports, keys, sink });
  const whole = collectionFunction({ ...ports, keys });
  const { floor, handler_unsent, handler_whole } = await processorTimes({
    floor: () => JSON.parse(gunzipSync(bytes).toString()),
    // Up to the finished message: what follows is the SDK's and the kernel's.
    handler_unsent: () => unsent(event, {} as Context),
    handler_whole: () => whole(event, {} as Context),
  });
  print({
    format: trackingPlan === null ? format : `${format}_planned`,
    events: 100,
    bytes: bytes.length,
    floor_us: Math.round(floor),
    handler_us: Math.round(handler_unsent),
    handler_to_floor: rounded(handler_unsent / floor, 2),
    handler_and_send_us: Math.round(handler_whole),
  });
}

/** Takes every message and sends none. */
function silentClient(): SQSClient {
  return Object.assign(new SQSClient({}), { send: async () => ({}) });
}

async function measureRequests(size: number): Promise<void> {
  await storeQueued();
  for (let sent = 0; sent < 1000; sent += size)
    await handler(collectionEvent(gzipSync(JSON.stringify(sampleBatch(project.key, size)))), {} as Context);
  used();
  await storeQueued();
  print({ events: 1000, batch_size: size, write_units_per_event: used().write_units / 1000 });
}

/** One call of the worker with all that waits, as the event source hands over up to 1,000 messages. */
async function storeQueued(): Promise<void> {
  const { failed } = await storeMessages(storeEventsPorts(), await receivedEvents());
  if (failed.length > 0) throw new Error('the worker failed');
}

/**
 * Microseconds of processor time a call of each, user and system: the minimum over many alternating rounds,
 * so that what else the machine does weighs on none of them.
 */
async function processorTimes<Name extends string>(
  works: Readonly<Record<Name, Work>>,
): Promise<Readonly<Record<Name, number>>> {
  const least = Object.fromEntries(Object.keys(works).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries<Work>(works))
      least[name] = Math.min(least[name] ?? 0, await processorTime(work));
  return least as Record<Name, number>;
}

async function processorTime(work: Work): Promise<number> {
  const ms = await cpuMsOf(async () => {
    for (let i = 0; i < calls; i++) await work();
  });
  return (1_000 * ms) / calls;
}
