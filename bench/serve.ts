import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { impactImplementations } from '../functions/queries/impact.ts';
import { functionSpecs } from '../lib/function-specs.ts';
import { heapOptions } from '../lib/functions.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { startBenchGraph } from './support/bench-graph.ts';
import { printerOf, quantile, rounded } from './support/figures.ts';
import { askImpacts, type ImpactQuestion, impactFigures } from './support/impact-figures.ts';
import { broadDomain, supernode } from './support/layered-graph.ts';

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

const { stores, writers, graph, workspace, connector } = await startBenchGraph();
const asked = { workspace, connector, ...impactImplementations(queriesPorts()) };
const print = printerOf('serve');

try {
  await (values.export ? measureExport() : measureAnswers());
} finally {
  stores.stop();
}

async function measureAnswers(): Promise<void> {
  const broadRef = await broadDomain({ ports: writers, workspace }, connector);
  const broadly = (i: number): ImpactQuestion => ({ relation_ref: broadRef(i), direction: 'both' });
  for (const edges of numbers(values.edges)) {
    await load(edges);
    await measure({ graph_edges: graph.edges() }, middleOut);
    await measure({ graph_edges: graph.edges(), broad: true }, broadly);
    await measure({ graph_edges: graph.edges(), broad: true, columns: 1 }, broadly, ['b']);
  }
  for (const readers of numbers(values.readers)) {
    const hub = await supernode({ ports: writers, workspace }, connector, readers);
    // A query just after a snapshot took effect is answered twice (ADR 1).
    await setTimeout(2_500);
    await measure({ supernode_readers: readers }, () => ({ relation_ref: hub, direction: 'downstream' }));
  }
}

async function load(edges: number): Promise<void> {
  const began = performance.now();
  while (graph.edges() < edges) await graph.grow();
  print({ loaded_edges: graph.edges(), seconds: rounded((performance.now() - began) / 1000) });
}

/** A relation in the middle of some domain, asked both ways. */
function middleOut(i: number): ImpactQuestion {
  return { relation_ref: graph.refOf((i * 7919) % graph.domains(), 4, i % 30), direction: 'both' };
}

async function measure(
  labels: object,
  questionOf: (i: number) => ImpactQuestion,
  columns: readonly string[] = [],
): Promise<void> {
  const ask = (count: number) =>
    askImpacts(asked, count, (i) => ({ ...questionOf(i), max_depth: '5', column_ref: columns }));
  await ask(5);
  const rounds: Awaited<ReturnType<typeof ask>>[] = [];
  for (let i = 0; i < Number(values.rounds); i++) rounds.push(await ask(Number(values.questions)));
  const costs = rounds.map(({ client_cpu_ms }) => client_cpu_ms);
  print({
    ...{ ...labels, depth: 5, ...impactFigures(rounds.flatMap(({ answers }) => answers)) },
    client_cpu_ms: quantile(costs, 0.5),
  });
  // What else a machine does only adds: the least is nearest to what answers take of themselves.
  const least = Math.min(...rounds.map(({ p50_ms }) => p50_ms));
  print({ ...labels, depth: 5, round: 'least', p50_ms: least, client_cpu_ms: Math.min(...costs) });
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
