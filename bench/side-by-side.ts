import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel } from '../shared/domain/base/concurrency.ts';
import { printerOf, quantile } from './support/figures.ts';
import { neighboursOf } from './support/load-oracle.ts';
import { markdownTable } from './support/markdown-table.ts';
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
import { processorSecondsOf } from './support/process-tree.ts';
import { occasion } from './support/results.ts';

// The whole local service beside a whole Marquez, in one run: both take the same events and the same questions in turns,
// and who begins changes with each round. A JSON line a figure, with the ratios of the rounds, and the share of the true
// answer that each server gave, so that nobody wins by answering less; then the table.
// `--peer URL --peer-pid PID --peer-pid PID_OF_POSTGRES [--record]`
const { values } = parseArgs({
  options: {
    peer: { type: 'string' },
    'peer-pid': { type: 'string', multiple: true, default: [] },
    record: { type: 'boolean', default: false },
  },
});
if (values.peer === undefined) throw new Error('Start a Marquez, and pass --peer URL and its --peer-pid.');
const [rounds, jobs, inGraph, readers, questions, clients, batchSize] = [5, 60, 1_000, 450, 10, 8, 100];
const printLine = printerOf('side-by-side');

/** What a round took: processor seconds and milliseconds of one event or question. */
type Taken = { readonly cpu: number; readonly ms: number; readonly share: number };
type Work = (
  server: OpenLineageServer,
  round: number,
) => Promise<{ readonly times: readonly number[]; readonly share: number }>;

const peer = marquez(values.peer, values['peer-pid'].map(Number));
const own = await ownService();
const on = occasion();
const figures: object[] = [];
/** Of the table in docs/benchmarks.md. */
const rows = [
  [
    'Figure',
    'CPU ms, ours and Marquez',
    'Times less',
    'ms, ours and Marquez',
    'Times faster',
    'Share of the true answer',
  ],
];
try {
  await measure();
} finally {
  await own.stop();
}
if (values.record) record();
console.error(markdownTable(rows));

async function measure(): Promise<void> {
  for (const server of [own, peer]) await send(server, 'w1', layeredJobs(50).map(renamed('warm')), 1);
  await intake('W1 singly', 'w1', jobs, 1);
  await intake('W1 by 100, as it takes batches', 'w1', jobs, batchSize);
  await intake('W2 singly', 'w2', jobs, 1);
  await intake('W3 singly', 'w3', 10, 1);
  const graph = layeredJobs(inGraph).map(renamed('graph'));
  for (const server of [own, peer]) await send(server, 'graph', graph, batchSize);
  const datasets = graph.flatMap(({ outputs }) => outputs);
  for (const depth of [5, 10]) await ask(`Lineage, ${inGraph} jobs, depth ${depth}`, graph, datasets, { depth });
  await ask(`Columns, ${inGraph} jobs, depth 5`, graph, datasets, { depth: 5, column: 'c00' });
  await find(`Search, ${inGraph} jobs`, datasets);
  const hub = hubJobs(readers);
  for (const server of [own, peer]) await send(server, 'graph', hub, batchSize);
  await ask(`A hub of ${readers} jobs, depth 1`, hub, ['hub'], { depth: 1 });
}

/** No two rounds share a job, so that a server sees the datasets for the first time. */
async function intake(figure: string, profile: Profile, count: number, batch: number): Promise<void> {
  await compare(figure, async (server, round) => {
    const some = layeredJobs(count).map(renamed(`${profile}_${batch}_${round}`));
    return { times: await send(server, profile, some, batch), share: 1 };
  });
}

type Depth = { readonly depth: number; readonly column?: string };

async function ask(
  figure: string,
  some: readonly LoadJob[],
  datasets: readonly string[],
  question: Depth,
): Promise<void> {
  const { depth, column = null } = question;
  const truth = neighboursOf(some, 'graph', column === null ? 'datasets' : 'columns');
  await compare(figure, (server, round) =>
    answered(round, datasets, async (dataset) => {
      const found = await server.ask({ dataset, depth, column });
      return [found, truth(column === null ? dataset : `${dataset}.${column}`, depth)];
    }),
  );
}

async function find(figure: string, datasets: readonly string[]): Promise<void> {
  await compare(figure, (server, round) =>
    answered(round, datasets, async (dataset) => [await server.search(dataset), new Set([dataset])]),
  );
}

type Answer = readonly [found: ReadonlySet<string>, truth: ReadonlySet<string>];

/** Some questions one after the other, about other datasets in each round. */
async function answered(round: number, datasets: readonly string[], one: (dataset: string) => Promise<Answer>) {
  const [times, shares]: [number[], number[]] = [[], []];
  for (let i = 0; i < questions; i++) {
    const began = performance.now();
    const [found, truth] = await one(datasets[((round * questions + i) * 7_919) % datasets.length] ?? '');
    times.push(performance.now() - began);
    if (truth.size > 0) shares.push([...truth].filter((one) => found.has(one)).length / truth.size);
  }
  return { times, share: Math.min(1, ...shares) };
}

/** Sends the events of jobs, waits until questions see them, and returns the milliseconds of each request. */
async function send(server: OpenLineageServer, profile: Profile, some: readonly LoadJob[], batch: number) {
  const events = [...loadEvents(some, profile, { namespace: server.namespace, round: 0 })];
  const size = server.takesBatches ? batch : 1;
  const bodies = bodiesOf(events, size);
  const times = await inParallel(clients, bodies, async (body) => {
    const began = performance.now();
    await server.send(body, size > 1);
    return (performance.now() - began) / size;
  });
  await server.settled();
  // A batch counts as its events.
  return times.flatMap((time) => Array<number>(size).fill(time)).slice(0, events.length);
}

async function compare(figure: string, work: Work): Promise<void> {
  const taken = new Map<OpenLineageServer, Taken[]>([
    [own, []],
    [peer, []],
  ]);
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? [own, peer] : [peer, own]) {
      const before = processorSecondsOf(server.pids) ?? Number.NaN;
      const { times, share } = await work(server, round);
      const cpu = ((processorSecondsOf(server.pids) ?? Number.NaN) - before) / times.length;
      taken.get(server)?.push({ cpu, ms: quantile(times, 0.5), share });
    }
  print(figure, taken.get(own) ?? [], taken.get(peer) ?? []);
}

function print(figure: string, ours: readonly Taken[], theirs: readonly Taken[]): void {
  const compared = (of: (one: Taken) => number) => {
    const ratios = ours.map((one, i) => of(theirs[i] ?? one) / Math.max(of(one), Number.EPSILON));
    const median = (values: readonly number[]) => precise(quantile(values, 0.5));
    const spread = ratios.toSorted((a, b) => a - b).map(precise);
    return { own: median(ours.map(of)), peer: median(theirs.map(of)), ratio: median(ratios), spread };
  };
  const [cpu, ms] = [compared((one) => one.cpu * 1_000), compared((one) => one.ms)];
  const [share, peer_share] = [ours, theirs].map((all) => precise(Math.min(...all.map((one) => one.share))));
  const line = {
    ...{ figure, cpu_ms: cpu.own, peer_cpu_ms: cpu.peer, cpu_ratio: cpu.ratio, cpu_ratios: cpu.spread },
    ...{ ms: ms.own, peer_ms: ms.peer, ms_ratio: ms.ratio, ms_ratios: ms.spread, share, peer_share },
  };
  figures.push(line);
  printLine(line);
  const cells = ({ own, peer, ratio, spread }: typeof cpu) => [
    `${own}, ${peer}`,
    `${ratio} (${spread[0]} to ${spread.at(-1)})`,
  ];
  rows.push([figure, ...cells(cpu), ...cells(ms), `${share}, ${peer_share}`]);
}

function precise(value: number): number {
  return Number(value.toPrecision(3));
}

/** Beside the ledger's history, whose lines have another form. */
function record(): void {
  const folder = path.join(import.meta.dirname, 'results', 'side-by-side');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${on.date.slice(0, 16).replace(':', '')}Z-${on.machine}.jsonl`);
  const lines = [{ ...on, peer: 'Marquez 0.51.1', rounds }, ...figures];
  writeFileSync(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
}
