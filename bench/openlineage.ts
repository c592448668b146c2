import { parseArgs } from 'node:util';
import { inParallel } from '../shared/domain/base/concurrency.ts';
import {
  bodiesOf,
  hubJobs,
  type LoadJob,
  layeredJobs,
  loadEvents,
  type Profile,
  renamed,
} from './support/openlineage-load.ts';
import { ownService } from './support/openlineage-servers.ts';
import { processorSecondsOf } from './support/process-tree.ts';
import { quantile } from './support/quantile.ts';

// What the whole local service takes for OpenLineage events over HTTP, and what it answers from them, one JSON line a
// figure. `side-by-side.ts` compares it with a Marquez.
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '250' },
    graph: { type: 'string', default: '1000' },
    hub: { type: 'string', default: '2000' },
    questions: { type: 'string', default: '20' },
  },
});
const [jobs, inGraph, readers] = [values.jobs, values.graph, values.hub].map(Number) as [number, number, number];
const clients = 8;
const batchSize = 100;

const server = await ownService();
try {
  await measureIntake();
  await measureAnswers();
} finally {
  await server.stop();
}

async function measureIntake(): Promise<void> {
  await taken(layeredJobs(50).map(renamed('warm')), 'w1', 1);
  // Whole domains of jobs that the steps before have not named, so that each step sees its datasets for the first time.
  const all = layeredJobs(3 * jobs);
  await intake('w1', all.slice(0, jobs), 1);
  await intake('w1', all.slice(jobs, 2 * jobs), batchSize);
  await intake('w2', all.slice(2 * jobs), 1);
  await intake('w3', layeredJobs(10).map(renamed('heavy')), 1);
}

async function measureAnswers(): Promise<void> {
  const layered = layeredJobs(inGraph).map(renamed('graph'));
  await intake('graph', layered, batchSize);
  const datasets = layered.flatMap(({ outputs }) => outputs);
  for (const depth of [5, 10]) await answers({ graph_jobs: inGraph }, datasets, depth, null);
  await answers({ graph_jobs: inGraph }, datasets, 5, 'c00');
  await intake('graph', hubJobs(readers), batchSize);
  for (const depth of [1, 5]) await answers({ hub_jobs: readers }, ['hub'], depth, null);
}

async function intake(profile: Profile, some: readonly LoadJob[], batch: number): Promise<void> {
  const { events, bytes, seconds, cpu_seconds, times } = await taken(some, profile, batch);
  print({
    profile,
    batch,
    jobs: some.length,
    kb_per_event: rounded(bytes / events / 1_000),
    events_per_second: rounded(events / seconds),
    cpu_seconds_per_1000: rounded((cpu_seconds / events) * 1_000),
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
  });
}

/** Sends the events of jobs, and waits until questions see them. */
async function taken(some: readonly LoadJob[], profile: Profile, batch: number) {
  const events = [...loadEvents(some, profile, { namespace: server.namespace, round: 0 })];
  const bodies = bodiesOf(events, batch);
  const times: number[] = [];
  const spent = processorTime();
  const began = performance.now();
  await inParallel(clients, bodies, async (body) => {
    const sent = performance.now();
    await server.send(body, batch > 1);
    times.push(performance.now() - sent);
  });
  await server.settled();
  const seconds = (performance.now() - began) / 1_000;
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  return { events: events.length, bytes, seconds, cpu_seconds: spent(), times };
}

async function answers(
  labels: Readonly<Record<string, number>>,
  datasets: readonly string[],
  depth: number,
  column: string | null,
): Promise<void> {
  const ask = (i: number) => server.ask({ dataset: datasets[(i * 7_919) % datasets.length] ?? '', depth, column });
  for (let i = 0; i < 3; i++) await ask(i);
  const [times, nodes]: [number[], number[]] = [[], []];
  const spent = processorTime();
  for (let i = 0; i < Number(values.questions); i++) {
    const began = performance.now();
    nodes.push((await ask(i)).size);
    times.push(performance.now() - began);
  }
  if (Math.max(...nodes) === 0) throw new Error('no question had an answer');
  print({
    ...labels,
    question: column === null ? 'relations' : 'columns',
    depth,
    nodes_p50: quantile(nodes, 0.5),
    p50_ms: rounded(quantile(times, 0.5)),
    max_ms: rounded(Math.max(...times)),
    cpu_ms: rounded((spent() / times.length) * 1_000),
  });
}

/** Processor seconds of the service from now on; NaN where they cannot be read. */
function processorTime(): () => number {
  const now = () => processorSecondsOf(server.pids) ?? Number.NaN;
  const before = now();
  return () => now() - before;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'openlineage', ...figures })}\n`);
}
