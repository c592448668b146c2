import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { impactImplementations } from '../functions/queries/impact.ts';
import { functionSpecs } from '../lib/function-specs.ts';
import { heapOptions } from '../lib/functions.ts';
import { impactRoutes } from '../shared/contract/explain.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { startBenchGraph } from './support/bench-graph.ts';
import { broadDomain, domainsWithColumns, supernode } from './support/layered-graph.ts';
import { quantile } from './support/quantile.ts';

// What answers cost on graphs of growing size: a JSON line of all rounds of questions, and one of the least of the rounds.
// `--edges 2000,10000,100000,1000000 --readers 2000,100000`
// What the export of a large graph takes, without questions: `--export --edges 1000000`
const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '2000,10000,100000' },
    readers: { type: 'string', default: '2000' },
    questions: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '5' },
    export: { type: 'boolean', default: false },
  },
});
const numbers = (text: string) => text.split(',').filter(Boolean).map(Number);

const { stores, table, workspace, connector, writers, bulk, graph } = await startBenchGraph();
const { getImpact } = impactImplementations(queriesPorts());

try {
  await (values.export ? measureExport() : measureAnswers());
} finally {
  stores.stop();
}

async function measureAnswers(): Promise<void> {
  const broadRef = await broadDomain({ ports: bulk, workspace }, connector);
  const broadly = (i: number): Question => ({ relation_ref: broadRef(i), direction: 'both' });
  for (const edges of numbers(values.edges)) {
    await load(edges);
    for (const depth of [5, 10]) await measure({ graph_edges: graph.edges() }, depth, middleOut);
    await measure({ graph_edges: graph.edges(), columns: 1 }, 5, (i) => middleOut(i, domainsWithColumns), ['b']);
    await measure({ graph_edges: graph.edges(), broad: true }, 5, broadly);
    await measure({ graph_edges: graph.edges(), broad: true, columns: 1 }, 5, broadly, ['b']);
  }
  for (const readers of numbers(values.readers)) {
    const hub = await supernode({ ports: writers, workspace }, connector, readers);
    // A query just after a snapshot took effect is answered twice (ADR 1).
    await setTimeout(2_500);
    await measure({ supernode_readers: readers }, 5, () => ({ relation_ref: hub, direction: 'downstream' }));
  }
}

async function load(edges: number): Promise<void> {
  const began = performance.now();
  while (graph.edges() < edges) await graph.grow();
  await bulk.flush();
  if (edges === Math.max(...numbers(values.edges))) bulk.release();
  print({ loaded_edges: graph.edges(), seconds: rounded((performance.now() - began) / 1000) });
}

type Question = { readonly relation_ref: string; readonly direction: string };

/** A relation in the middle of some domain, asked both ways. */
function middleOut(i: number, among = graph.domains()): Question {
  const domain = (i * 7919) % Math.min(among, graph.domains());
  return { relation_ref: graph.refOf(domain, 4, i % 30), direction: 'both' };
}

async function measure(
  labels: Readonly<Record<string, unknown>>,
  depth: number,
  questionOf: (i: number) => Question,
  columns: readonly string[] = [],
): Promise<void> {
  const ask = (i: number) => answer({ ...questionOf(i), max_depth: String(depth), column_ref: columns });
  for (let i = 0; i < 5; i++) await ask(i);
  const answers: Answered[] = [];
  const rounds: Round[] = [];
  for (let i = 0; i < Number(values.rounds); i++) {
    const { cpuMs, answered } = await askRound(ask);
    answers.push(...answered);
    const times = answered.map(({ ms }) => ms);
    rounds.push({ p50_ms: quantile(times, 0.5), client_cpu_ms: cpuMs / times.length });
  }
  const of = (name: keyof Answered, share: number) =>
    rounded(
      quantile(
        answers.map((one) => one[name]),
        share,
      ),
    );
  print({
    ...labels,
    depth,
    nodes_p50: of('nodes', 0.5),
    p50_ms: of('ms', 0.5),
    p95_ms: of('ms', 0.95),
    client_cpu_ms: rounded(
      quantile(
        rounds.map((one) => one.client_cpu_ms),
        0.5,
      ),
    ),
    read_units_p50: of('units', 0.5),
    read_units_max: Math.max(...answers.map(({ units }) => units)),
    requests_p50: of('requests', 0.5),
    one_round_trip_ms: await roundTrip(),
  });
  // What else a machine does only adds: the least is nearest to what answers take of themselves.
  const least = (name: keyof Round) => rounded(Math.min(...rounds.map((one) => one[name])));
  print({ ...labels, depth, round: 'least', p50_ms: least('p50_ms'), client_cpu_ms: least('client_cpu_ms') });
}

type Answered = { readonly ms: number; readonly nodes: number; readonly units: number; readonly requests: number };
type Round = { readonly p50_ms: number; readonly client_cpu_ms: number };

async function askRound(ask: (i: number) => ReturnType<typeof answer>) {
  const answered: Answered[] = [];
  const cpu = process.cpuUsage();
  for (let i = 0; i < Number(values.questions); i++) {
    const began = performance.now();
    const { upstream, downstream, cost } = await ask(i);
    const ms = performance.now() - began;
    answered.push({ ms, nodes: upstream.length + downstream.length, units: cost.read_units, requests: cost.requests });
  }
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, answered };
}

async function answer(query: Readonly<Record<string, unknown>>) {
  const raw = { workspace_id: workspace, connector_id: connector, max_nodes: '500', ...query };
  const checked = v.parse(impactRoutes.getImpact.query, raw);
  const request = { workspace, query: checked, now: new Date() } as unknown as Parameters<typeof getImpact>[0];
  const reply = await getImpact(request);
  if (reply.status !== 200 || !('body' in reply)) throw new Error('no answer');
  return reply.body;
}

/** The floor of any answer: one item read by its key. */
async function roundTrip(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    await table.client.send(
      new GetItemCommand({ TableName: table.name, Key: { pk: { S: `W#${workspace}` }, sk: { S: 'WORKSPACE' } } }),
    );
    times.push(performance.now() - began);
  }
  return rounded(quantile(times, 0.5));
}

/** In a new process without memory from loading. */
async function measureExport(): Promise<void> {
  await load(Math.max(...numbers(values.edges)));
  const file = fileURLToPath(new URL('./support/exporting-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...heapOptions(functionSpecs.export),
    file,
    workspace,
  ]);
  print({ export_edges: graph.edges(), ...JSON.parse(stdout) });
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'serve', ...figures })}\n`);
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
