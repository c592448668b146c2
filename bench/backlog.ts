import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { storedLines } from '../cli/events/stored-lines.ts';
import { bundleFunctions } from '../lib/bundle-functions.ts';
import { type FunctionName, functionSpecs } from '../lib/function-specs.ts';
import { batches } from '../lib/functions.ts';
import { pollQueue } from '../local/triggers/queue-poller.ts';
import { sqs } from '../shared/adapters/aws.ts';
import { deliveryStore } from '../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { enqueueBatch } from '../shared/adapters/sqs/events-queue.ts';
import type { QueueName } from '../shared/contract/stack-outputs.ts';
import { inParallel } from '../shared/domain/base/concurrency.ts';
import { sha256 } from '../shared/domain/base/digest.ts';
import { acceptDeclared } from '../shared/domain/lineage/ingest/accept-declared.ts';
import { payloadOf } from '../shared/domain/lineage/ingest/open-delivery.ts';
import { dbt } from '../shared/domain/lineage/ingest/tools.ts';
import { anyDelivery } from '../test/support/new-deliveries.ts';
import { startBenchWorkspace } from './support/bench-graph.ts';
import { printerOf } from './support/figures.ts';
import { sampleBatch } from './support/sample-batch.ts';
import { slowFunction } from './support/slow-function.ts';

// What waits is worked to its end by workers with the processor, memory and time that are deployed: nothing is lost,
// each event is stored once, no run takes longer than it may. Fails where that does not hold. A JSON line a backlog.
const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '1000' },
    documents: { type: 'string', default: '10' },
    mib: { type: 'string', default: '193' },
    due: { type: 'string', default: '20000' },
  },
});

const { stores, table, workspace, connector } = await startBenchWorkspace();
Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_LOG_LEVEL: 'WARN' });
const { storeEventsPorts } = await import('../shared/runtime/composition/collection.ts');
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
await bundleFunctions(['store-events', 'document-projector', 'sweep']);

const print = printerOf('backlog');
const modelBytes = 64 * 1_024;
try {
  await events(Number(values.batches));
  await documents(Number(values.documents), Number(values.mib));
  await due(Number(values.due));
} finally {
  stores.stop();
}

/** Full batches of events. */
async function events(count: number): Promise<void> {
  if (count === 0) return;
  const queue = { client: sqs(), url: process.env['EVENTS_QUEUE_URL'] ?? '', bucket: storeEventsPorts().bucket };
  const ids: string[] = [];
  const origin = { workspace_id: workspace, project_id: 'shop' as never, environment: 'prod', request_id: 'r' };
  await inParallel(16, Array.from({ length: count }), async () => {
    const sent = sampleBatch('key', 100).events;
    ids.push(...sent.map(({ id }) => id));
    const received_at = new Date().toISOString();
    const lines = sent.map((event) => JSON.stringify(event));
    await enqueueBatch(queue, { batchId: randomUUID(), origin: { ...origin, received_at, trusted: false }, lines });
  });
  const figures = await processDelivery('store-events', 'events');
  const stored: string[] = [];
  for await (const line of storedLines(queue.bucket, workspace)) stored.push(JSON.parse(line).id);
  report('events', { batches: count, events: ids.length, stored: stored.length, ...figures }, [
    stored.length === ids.length,
    new Set(stored).size === ids.length,
    figures.timed_out === 0,
    figures.dead_letters === 0,
  ]);
}

/** Declared documents, as uploads bring them. */
async function documents(count: number, mib: number): Promise<void> {
  if (count === 0) return;
  const ports = ingestPorts();
  const manifest = paddedManifest(mib * 1_024 * 1_024);
  const bytes = Buffer.from(JSON.stringify({ workspace_id: workspace, connector_id: connector, manifest }));
  const payload = payloadOf(ports, { bytes, contentType: 'application/json', contentEncoding: null });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { connector_id: connector, completeness: 'partial' as const, manifest };
    const request = {
      workspace: workspace,
      documentDigest: sha256(String(n)).toString('base64url'),
      idempotencyKey: `document ${n}`,
      payload,
    };
    const receipt = await acceptDeclared(ports, dbt, { ...request, body: body as never });
    if ('delivery_id' in receipt) ids.push(receipt.delivery_id);
  }
  const figures = await processDelivery('document-projector', 'documents');
  const deliveries = await Promise.all(ids.map((id) => deliveryStore(table).get(workspace, id as never)));
  const projected = deliveries.filter((one) => one?.state === 'projected').length;
  report('documents', { documents: count, mib: bytes.length / 2 ** 20, projected, ...figures }, [
    projected === count,
    figures.timed_out === 0,
    figures.dead_letters === 0,
    figures.peak_mib < functionSpecs['document-projector'].memoryMiB,
  ]);
}

/** Open deliveries whose messages were lost. */
async function due(count: number): Promise<void> {
  if (count === 0) return;
  const past = new Date(Date.now() - 60_000);
  const waiting = Array.from({ length: count }, () => anyDelivery(workspace, 'openlineage_event', past));
  await inParallel(64, waiting, (delivery) => deliveryStore(table).open(delivery, past.toISOString()));
  const sweep = slowFunction('sweep', shareOf('sweep'));
  // Events whose fields are new have sent a message, too.
  const before = await waitingIn(process.env['PROJECTION_QUEUE_URL']);
  const sent = async () => (await waitingIn(process.env['PROJECTION_QUEUE_URL'])) - before;
  const began = Date.now();
  for (let left = count; left > 0; left = count - (await sent())) await sweep.invoke({ task: 'due' });
  const seconds = (Date.now() - began) / 1_000;
  sweep.stop();
  const { cpu_s, ...figures } = sweep.figures();
  const perProcessorSecond = count / cpu_s;
  report(
    'due',
    {
      deliveries: count,
      seconds,
      cpu_us_each: (cpu_s * 1e6) / count,
      // An hour at 1,000 a second, by as many sweeps as run at once: one a minute, of four minutes each.
      minutes_for_an_hour: 3_600_000 / (perProcessorSecond * shareOf('sweep') * 4) / 60,
      ...figures,
    },
    [figures.timed_out === 0, (await sent()) === count],
  );
}

/** Feeds the worker from its queue until nothing is left. */
async function processDelivery(name: FunctionName, queue: QueueName) {
  const url = process.env[`${queue.toUpperCase()}_QUEUE_URL`] ?? '';
  process.env['WORK_QUEUE_URL'] = url;
  const worker = slowFunction(name, shareOf(name));
  const stopping = new AbortController();
  const began = Date.now();
  const { batchSize } = batches[queue];
  const polling = pollQueue({
    sqs: sqs(),
    source: {
      queueUrl: url,
      queueArn: 'arn',
      target: { ...worker, name, allowsRecursion: true },
      batchSize,
      windowMs: 1_000,
      waitsForWindow: false,
      followsRecursion: false,
      concurrency: 1,
      reportsItemFailures: true,
    },
    signal: stopping.signal,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  while ((await waitingIn(url)) > 0) await after(500);
  const seconds = (Date.now() - began) / 1_000;
  stopping.abort();
  await polling;
  worker.stop();
  const dead_letters = await waitingIn(process.env[`${queue.toUpperCase()}_DEAD_LETTER_QUEUE_URL`]);
  return { processor_share: shareOf(name), seconds, dead_letters, ...worker.figures() };
}

/** Lambda gives a whole processor for 1,769 MiB; a thread has no use for more. */
function shareOf(name: FunctionName): number {
  return Math.min(1, functionSpecs[name].memoryMiB / 1_769);
}

async function waitingIn(url: string | undefined): Promise<number> {
  if (url === undefined) return 0;
  const names = [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesDelayed',
  ] as const;
  const { Attributes = {} } = await sqs().send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }),
  );
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}

function report(what: string, figures: object, holds: readonly boolean[]): void {
  const converged = holds.every(Boolean);
  print({ what, converged, ...figures });
  if (!converged) process.exitCode = 1;
}

/** A dbt manifest of about this many bytes: a chain of models whose statements are mostly comments. */
function paddedManifest(bytes: number) {
  const names = Array.from({ length: Math.max(2, Math.ceil(bytes / modelBytes)) }, (_, n) => `m${n}`);
  const padding = `-- ${'0123456789abcdef'.repeat(modelBytes / 16)}`;
  return {
    metadata: { adapter_type: 'postgres' },
    nodes: Object.fromEntries(names.map((name, n) => [`model.${name}`, modelOf(name, names[n - 1], padding)])),
    sources: {},
  };
}

function modelOf(name: string, before: string | undefined, padding: string) {
  return {
    resource_type: 'model',
    database: 'crm',
    schema: 'core',
    name,
    depends_on: { nodes: before === undefined ? [] : [`model.${before}`] },
    compiled_code: `select a, b from ${before ?? 'origin'}`,
    description: padding,
  };
}
