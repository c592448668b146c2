import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { functionSpecs } from '../lib/function-specs.ts';
import { queueNames } from '../shared/contract/stack-outputs.ts';
import { inParallel } from '../shared/domain/base/concurrency.ts';
import { openedGraph } from '../shared/domain/lineage/generations/graph-record.ts';
import { askImpact } from '../shared/domain/lineage/queries/impact/ask-impact.ts';
import { seedProject } from '../test/support/collection-seed.ts';
import { accessLogBytes, metered, publishedMetrics, startMetering } from './cost/metered.ts';
import { beyondFree, dollars, total, type Usage } from './cost/prices.ts';
import { receivedEvents } from './cost/received-events.ts';
import { kept } from './cost/stored.ts';
import { startBenchWorkspace } from './support/bench-graph.ts';
import { collectionEvent } from './support/collection-event.ts';
import { acceptEvents, impactQuestion, projectAccepted } from './support/openlineage-work.ts';
import { runEvents } from './support/run-events.ts';
import { sampleBatch } from './support/sample-batch.ts';

// What a million of each costs in AWS, and a month without traffic, one JSON line a figure: metered units times
// the prices of bench/cost/prices.ts. The processor time is this machine's.
const { values } = parseArgs({ options: { events: { type: 'string', default: '2000' } } });
const sampled = Number(values.events);
// As deployed, whatever the environment of this bench: what functions log and publish is charged.
Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'false', POWERTOOLS_LOG_LEVEL: 'INFO' });
const { stores, table, workspace, connector, record } = await startBenchWorkspace();
const { collectionFunction } = await import('../shared/runtime/collection-http.ts');
const { collectPorts, storeEventsPorts } = await import('../shared/runtime/composition/collection.ts');
const { storeMessages } = await import('../shared/runtime/store-messages.ts');
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
const { queriesPorts } = await import('../shared/runtime/composition/queries.ts');
const { projectorPorts, sweepPorts } = await import('../shared/runtime/composition/workers.ts');
const { sweepTasks } = await import('../functions/sweep/tasks.ts');
const { handler: sweep } = await import('../functions/sweep/handler.ts');
const { handler: compact } = await import('../functions/compactor/handler.ts');

const project = await seedProject(table, 'https://shop.example');
const place = { workspace, connector };
const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 300_000 } as Context;
const million = 1_000_000;
/** Of a million a month: an archive of payloads holds those of an hour. */
const eventsAnHour = million / 720;

function print(what: string, usage: Usage): Usage {
  writeSync(1, `${JSON.stringify({ bench: 'cost', what, ...dollars(usage), units: usage })}\n`);
  return usage;
}

const requests = (count: number): Usage => ({
  gateway_requests: count,
  log_bytes: count * accessLogBytes,
});

type Part = readonly [usage: Usage, times: number];

/** What requests cost through the gateway, and what they cost at the function's own URL, which adds nothing. */
function printLanes(what: string, count: number, each: number, work: readonly Usage[]): Usage {
  const parts = work.map((one): Part => [one, each]);
  print(`${what}, at a function URL`, total(...parts));
  return print(what, total([requests(count), each], ...parts));
}

/** The ledger keeps a claim for this number of months. */
const claimMonths = 400 / 30.4;

/**
 * The cost of a month with one million, like each month before: its requests, and the storage of all months. What
 * comes within a month is kept for half of it. Only claims are deleted.
 */
async function printMonths(what: string, usage: Usage, before: Usage, times: number): Promise<void> {
  const { ledger_gb_months: claims = 0, ...rest } = total([await kept(), times], [before, -times]);
  for (const month of [1, 13]) {
    const months = month - 0.5;
    const stored = total([rest, months], [{ ledger_gb_months: claims }, Math.min(months, claimMonths)]);
    print(`${what}, kept in month ${month}`, stored);
    print(`${what}, all of month ${month}`, total([usage, 1], [stored, 1]));
  }
}

/** The sample as requests of this many events. */
async function collectedBatches(size: number): Promise<Usage> {
  const handler = collectionFunction(collectPorts());
  const bodies = Array.from({ length: sampled / size }, () => gzipSync(JSON.stringify(sampleBatch(project.key, size))));
  return metered('collect', bodies.length, async () => {
    for (const body of bodies) await handler(collectionEvent(body), context);
  });
}

/** Events by the size of their batches, at a rate that fills the worker's batches of 200 messages. */
async function events(size: number): Promise<Usage> {
  const before = await kept();
  const collected = await collectedBatches(size);
  const messages = await receivedEvents();
  const runs = Math.ceil(messages.length / 200);
  const stored = await metered('store-events', runs, async () => {
    for (let run = 0; run < runs; run++)
      await storeMessages(storeEventsPorts(), messages.slice(run * 200, (run + 1) * 200));
  });
  // An hour later an object of a run is read and written once more, with thousands of others.
  const compacted = { s3_gets: (stored.s3_puts ?? 0) / 2 };
  const work = [collected, stored, compacted];
  const what = `a million events in batches of ${size}`;
  const usage = printLanes(what, sampled / size, million / sampled, work);
  await printMonths(what, usage, before, million / sampled);
  return usage;
}

/**
 * What Athena reads of an event in hourly merges: its landed row on each of the four days that are merged, taken to be a
 * fifth of its JSON, and its key on each of the eleven that are compared: 16 bytes of Parquet, measured with random ids.
 */
const mergedBytes = { row: 24 * 4 * 160, key: 24 * 11 * 16 };

/** Events by the size of their batches, into Iceberg tables. */
async function icebergEvents(size: number): Promise<Usage> {
  Object.assign(process.env, { COLLECTION_SINK: 'iceberg', EVENT_STREAM_NAME: 'events' });
  const collected = await collectedBatches(size);
  const merged = { athena_bytes: sampled * (mergedBytes.row + mergedBytes.key) };
  const what = `a million events in batches of ${size} into Iceberg`;
  return printLanes(what, sampled / size, million / sampled, [collected, merged]);
}

/** Run events of jobs, accepted and projected: those of the first round are of jobs that nobody knows. */
async function openLineage(batch: number, round: number): Promise<Usage> {
  const [intake, worker, before] = [ingestPorts(), projectorPorts(), await kept()];
  const all = runEvents(Math.ceil(eventsAnHour / 2), round);
  const bodies = Array.from({ length: Math.ceil(all.length / batch) }, (_, i) =>
    Buffer.from(JSON.stringify(batch === 1 ? all[i] : all.slice(i * batch, (i + 1) * batch))),
  );
  const receipts: Awaited<ReturnType<typeof acceptEvents>>[] = [];
  const accepted = await metered('ingest', bodies.length, async () => {
    receipts.push(...(await inParallel(8, bodies, (bytes) => acceptEvents(intake, place, bytes))));
  });
  // A message each, ten at once where they come as fast.
  const projected = await metered('projector', Math.ceil(bodies.length / 10), async () => {
    for (let i = 0; i < receipts.length; i += 10)
      await inParallel(10, receipts.slice(i, i + 10), (receipt) => projectAccepted(worker, workspace, receipt));
  });
  const swept = await sweepDeliveries(bodies.length);
  const what = `a million OpenLineage events in batches of ${batch}, ${round === 0 ? 'new' : 'known'} jobs`;
  const usage = printLanes(what, bodies.length, million / all.length, [accepted, projected, swept]);
  await printMonths(what, usage, before, million / all.length);
  return usage;
}

/** The sweep's reads of deliveries from past hours; a full run archives a hundred thousand. */
async function sweepDeliveries(count: number): Promise<Usage> {
  const ports = sweepPorts();
  // A round before this one was archived as of later than now.
  const { due, payloads } = sweepTasks({ ...ports, places: { ...ports.places, read: async () => null } });
  const run = { now: new Date(Date.now() + 7_200_000), timeIsUp: () => false };
  return metered('sweep', count / 100_000, async () => {
    await due(run);
    await payloads(run);
  });
}

/** Impact of a table, three steps deep. */
async function answers(): Promise<Usage> {
  const requested = 50;
  const reader = queriesPorts();
  const context = {
    ...openedGraph(workspace, { generation: 0, forgotten: {} }),
    connectors: new Map([[connector, record]]),
    policies: new Map(),
    isSpent: () => false,
  };
  const usage = await metered('queries', requested, async () => {
    for (let n = 0; n < requested; n++)
      await askImpact(
        { reader, context: { ...context, now: new Date().toISOString() } },
        record,
        impactQuestion(place, n),
      );
  });
  return print(
    'a million answers of impact',
    total([requests(requested), million / requested], [usage, million / requested]),
  );
}

const minutesAMonth = 43_200;
const every = { due: 1, gaps: 5, garbage: 15, checks: 15, payloads: 15, names: 15, compaction: 60, canary: 5 } as const;

/** A run of each scheduled task, if there is nothing to do. */
async function idleTasks() {
  const tasks: (readonly [keyof typeof every, Usage])[] = [];
  for (const task of ['due', 'gaps', 'garbage', 'checks', 'payloads', 'names'] as const)
    tasks.push([task, await metered('sweep', 1, () => sweep({ task }, context))]);
  return [...tasks, ['compaction', await metered('compactor', 1, () => compact({}, context))] as const];
}

/** Five long polls of 20 seconds for each queue that feeds a function. */
const polls = { sqs_requests: queueNames.length * 5 * 3 * minutesAMonth };
/** A round's own function mostly waits, ten seconds at most. */
const canaryRun = { lambda_requests: 1, lambda_gb_seconds: (10 * functionSpecs.canary.memoryMiB) / 1_024 };
/** As test/process/stack.test.ts counts them. */
const watched = { alarm_metrics: 28 };

function idleMonth(tasks: readonly (readonly [keyof typeof every, Usage])[], round: Usage): void {
  const metrics = publishedMetrics();
  const scheduled = tasks.map(([task, usage]) => [task, total([usage, minutesAMonth / every[task]])] as const);
  const rounds = total([round, minutesAMonth / every.canary]);
  const lines: readonly (readonly [string, Usage])[] = [
    ...scheduled.map(([task, usage]) => [`schedule ${task}`, usage] as const),
    ['canary', total([rounds, 1], [canaryRun, minutesAMonth / every.canary])],
    ['polls of the queues', polls],
    ['alarms', watched],
    [`metrics: ${metrics.join(', ')}`, { custom_metrics: metrics.length }],
  ];
  for (const [what, usage] of lines) print(`an idle month: ${what}`, usage);
  const month = total(...lines.map(([, usage]) => [usage, 1] as const));
  print('an idle month', month);
  print('an idle month beyond the free tiers', beyondFree(month));
}

startMetering();
try {
  const idle = await idleTasks();
  const eventSingly = await events(1);
  for (const size of [10, 100]) await events(size);
  for (const size of [1, 10, 100]) await icebergEvents(size);
  await openLineage(1, 0);
  const runSingly = await openLineage(1, 1);
  await openLineage(100, 2);
  const answer = await answers();
  // A round sends an event and a run, and asks some six times until it has its answers.
  const round = total([eventSingly, 1 / million], [runSingly, 1 / million], [answer, 6 / million]);
  idleMonth(idle, round);
} finally {
  stores.stop();
}
