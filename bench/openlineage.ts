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
import { marquez, type OpenLineageServer, ownService } from './support/openlineage-servers.ts';
import { processorSecondsOf, threadSecondsOf } from './support/process-tree.ts';
import { quantile } from './support/quantile.ts';

// What a whole server takes for OpenLineage events over HTTP, and what it answers from them, one JSON line a figure: the
// local service, or with `--url` a Marquez with the same load. `--pid` names the processes to measure (only on Linux).
// `--threads` adds which threads and processes took that time: a function's thread has the function's name.
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '250' },
    graph: { type: 'string', default: '1000' },
    hub: { type: 'string', default: '2000' },
    questions: { type: 'string', default: '20' },
    url: { type: 'string' },
    token: { type: 'string' },
    pid: { type: 'string', multiple: true, default: [] },
    threads: { type: 'boolean', default: false },
  },
});
const [jobs, inGraph, readers] = [values.jobs, values.graph, values.hub].map(Number) as [number, number, number];
const clients = 8;
const batchSize = 100;

const server = values.url ? marquez(values.url, values.token, values.pid.map(Number)) : await ownService();
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
  if (server.takesBatches) await intake('w1', all.slice(jobs, 2 * jobs), batchSize);
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
  const { events, bytes, seconds, cpu_seconds, shares, times } = await taken(some, profile, batch);
  print({
    profile,
    batch: server.takesBatches ? batch : 1,
    jobs: some.length,
    kb_per_event: rounded(bytes / events / 1_000),
    events_per_second: rounded(events / seconds),
    cpu_seconds_per_1000: rounded((cpu_seconds / events) * 1_000),
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    ...shares(events),
  });
}

/** Sends the events of jobs, and waits until questions see them. */
async function taken(some: readonly LoadJob[], profile: Profile, batch: number) {
  const events = [...loadEvents(some, profile, { namespace: server.namespace, round: 0 })];
  const size = server.takesBatches ? batch : 1;
  const bodies = bodiesOf(events, size);
  const times: number[] = [];
  const [spent, shares] = [processorTime(server), threadShares(server)];
  const began = performance.now();
  await inParallel(clients, bodies, async (body) => {
    const sent = performance.now();
    await server.send(body, size > 1);
    times.push(performance.now() - sent);
  });
  await server.settled();
  const seconds = (performance.now() - began) / 1_000;
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  return { events: events.length, bytes, seconds, cpu_seconds: spent(), shares, times };
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
  const [spent, shares] = [processorTime(server), threadShares(server)];
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
    ...shares(times.length),
  });
}

/** Processor seconds of a server from now on; NaN where they cannot be read. */
function processorTime({ pids }: OpenLineageServer): () => number {
  const now = () => (pids.length > 0 ? processorSecondsOf(pids) : null) ?? Number.NaN;
  const before = now();
  return () => now() - before;
}

/** With `--threads`, the CPU ms of one of a number of events or questions by the names of threads, the largest first. */
function threadShares({ pids }: OpenLineageServer) {
  const before = values.threads ? threadSecondsOf(pids) : null;
  return (count: number): { readonly cpu_ms_by_thread?: Readonly<Record<string, number>> } => {
    if (before === null) return {};
    const sums = new Map<string, number>();
    for (const [thread, { name, seconds }] of threadSecondsOf(pids))
      sums.set(name, (sums.get(name) ?? 0) + seconds - (before.get(thread)?.seconds ?? 0));
    const shares = [...sums].map(([name, sum]) => [name, rounded((sum / count) * 1_000)] as const);
    return {
      cpu_ms_by_thread: Object.fromEntries(shares.filter(([, ms]) => ms >= 0.01).sort(([, a], [, b]) => b - a)),
    };
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'openlineage', server: server.name, ...figures })}\n`);
}
