import './support/quiet.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { DynamoDBClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { impactImplementations } from '../functions/queries/impact.ts';
import { functionSpecs } from '../lib/function-specs.ts';
import { heapOptions } from '../lib/functions.ts';
import { expireObservations } from '../shared/domain/operations/sweep/expire-observations.ts';
import { pruneDeadOrders } from '../shared/domain/operations/sweep/prune-dead-orders.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { sweepPorts } from '../shared/runtime/composition/workers.ts';
import { startBenchWorkspace, startLoadedWorkspace } from './support/bench-graph.ts';
import { cpuMs, printerOf, rounded } from './support/figures.ts';
import { askImpacts, impactFigures } from './support/impact-figures.ts';
import { writeLoaded } from './support/loaded-graph.ts';
import { processorSecondsOf } from './support/process-tree.ts';
import { randomFloats } from './support/random-floats.ts';
import { hubRef, realisticSources, refOf, type Source, sourceSizes } from './support/realistic-graph.ts';
import { statedSources } from './support/stated-sources.ts';
import { countUnits } from './support/units.ts';

// A warehouse of this many relations, loaded through the projection as projects and schedulers state it; then its size,
// answers, the retraction of its largest project, garbage, the sweep and the export. One JSON line a step when it is
// done, of the load one a tenth; a seed gives the same graph. After `--minutes` no further source is loaded. The stores
// are in memory, or in an empty folder: of 100,000 relations and more in memory each commit of the emulator takes longer.
// `node bench/large-graph.ts [--relations 100000] [--seed 1] [--questions 40] [--minutes 600] [--folder /dev/shm/large]`
// With `--columns 5` each source describes its relations with five columns. `--keep FOLDER` only loads, into an empty
// data folder of the local service, for `bench/tails.ts FOLDER`; it also stops loading when less than `--free-gib` of
// memory is left.
const { values } = parseArgs({
  options: {
    relations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    questions: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '600' },
    folder: { type: 'string' },
    columns: { type: 'string', default: '0' },
    keep: { type: 'string' },
    'free-gib': { type: 'string', default: '0' },
  },
});
const [relations, seed, columnsEach] = [Number(values.relations), Number(values.seed), Number(values.columns)];
const parts = 10;
const { stores, ...warehouse } = await (values.keep
  ? startLoadedWorkspace(values.keep)
  : startBenchWorkspace(values.folder));
const { table, workspace, connector } = warehouse;
const sources = await statedSources(warehouse);
const query = { workspace, connector, ...impactImplementations(queriesPorts()) };
const used = countUnits(table.client);
const printLine = printerOf('large-graph');
const loaded = { sources: 0, jobs: 0, relations: 0, models: 0, edges: 0 };
const largest = { name: 'p0', models: 0 };

try {
  await load();
  await measured('size', size);
  if (values.keep) writeLoaded(values.keep, { ...loaded, planned: relations, seed, columns: columnsEach });
  else await measureAll();
} finally {
  stores.stop();
}

async function measureAll(): Promise<void> {
  await answers();
  await measured('retract', async () => ({ retracted_edges: await sources.retract(largest.name) }));
  await answers();
  await measured('prune', () => collect(0));
  await measured('forget', () => collect(120));
  await measured('size', size);
  await measured('sweep', sweep);
  await measured('export', exported);
}

async function load(): Promise<void> {
  const [began, all, sizes] = [
    performance.now(),
    realisticSources(relations, seed, columnsEach),
    sourceSizes(relations),
  ];
  const inTime = () =>
    performance.now() - began < Number(values.minutes) * 60_000 && availableGib() > Number(values['free-gib']);
  const costs: Cost[] = [];
  while (loaded.relations < relations && inTime())
    costs.push(
      await measured('loading', async () => {
        const enough = Math.min(relations, loaded.relations + relations / parts);
        while (loaded.relations < enough && inTime()) await loadNext(all.next().value, sizes[loaded.sources] ?? 0);
        return { ...loaded, rss_mib: Math.round(process.memoryUsage.rss() / 2 ** 20) };
      }),
    );
  const peak = Math.round(process.resourceUsage().maxRSS / 1_024);
  print({ step: 'load', ...loaded, ...sumOf(costs), peak_rss_mib: peak });
}

async function loadNext(source: Source | undefined, size: number): Promise<void> {
  if (!source) throw new Error('the sources have fewer relations than were asked for');
  await sources.state(source);
  const { name, models, kind } = source;
  if (name === largest.name) largest.models = models.length;
  loaded.sources++;
  loaded.relations += size;
  loaded.models += models.length;
  if (kind === 'scheduler') loaded.jobs += models.length;
  loaded.edges += models.reduce((sum, { inputs }) => sum + inputs.length, 0);
  process.stderr.write(`${new Date().toISOString()} ${name}: ${loaded.relations} relations, ${loaded.edges} edges\n`);
}

/** Of the whole machine; there is no bound if `/proc` does not say. */
function availableGib(): number {
  if (values['free-gib'] === '0') return Number.POSITIVE_INFINITY;
  const [, kib = Number.POSITIVE_INFINITY] = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Number(kib) / 2 ** 20;
}

/** How many items a table holds, and the bytes that it bills for: a scan consumes half a unit for 4 KB. */
async function tableSize(TableName: string): Promise<{ readonly items: number; readonly bytes: number }> {
  // A page of a large table takes the emulator longer than the service waits for any answer.
  const client = new DynamoDBClient({ requestHandler: { requestTimeout: 120_000 } });
  let [items, units] = [0, 0];
  let from: ScanCommandInput['ExclusiveStartKey'];
  do {
    const start = from && { ExclusiveStartKey: from };
    const command = new ScanCommand({
      TableName,
      Select: 'COUNT',
      Limit: 2_000,
      ReturnConsumedCapacity: 'TOTAL',
      ...start,
    });
    const { Count = 0, ConsumedCapacity, LastEvaluatedKey } = await client.send(command);
    items += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return { items, bytes: units * 8_192 };
}

async function size() {
  const { items, bytes } = await tableSize(table.name);
  return { items, mebibytes: rounded(bytes / 2 ** 20), bytes_per_edge: rounded(bytes / loaded.edges) };
}

async function answers(): Promise<void> {
  const random = randomFloats(seed);
  const sizes = sourceSizes(relations).slice(0, loaded.sources);
  const anywhere = (layer: number) => () => {
    const project = Math.floor(random() * sizes.length);
    return refOf(project, layer, Math.floor((random() * (sizes[project] ?? 0)) / 4));
  };
  const count = Number(values.questions);
  const ask = async (question: string, direction: string, refOfNext: () => string) => {
    const asked = await askImpacts(query, count, () => ({ relation_ref: refOfNext(), direction }));
    print({ step: 'answer', question, ...impactFigures(asked.answers), client_cpu_ms: asked.client_cpu_ms });
  };
  await ask('what feeds a mart', 'upstream', anywhere(3));
  await ask('what breaks with a staged relation', 'downstream', anywhere(1));
  await ask('what breaks with the most read dimension', 'downstream', hubRef);
}

/** Measures what remains after the retraction, in a new process without memory from loading. */
async function exported() {
  const file = fileURLToPath(new URL('./support/exporting-process.ts', import.meta.url));
  const args = [
    ...heapOptions(functionSpecs.export),
    '--expose-gc',
    file,
    workspace,
    String(loaded.models - largest.models),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return { export: JSON.parse(stdout) };
}

/** The sweep's garbage, this many days from now. */
async function collect(days: number) {
  const now = new Date(Date.now() + days * 86_400_000);
  const onOrderFailed = (_: unknown, error: unknown) => {
    throw error;
  };
  return pruneDeadOrders(sweepPorts(), { now, timeIsUp: () => false, onOrderFailed });
}

/** The sweep's daily pass over all observations. None is old. */
async function sweep() {
  const { observations } = await expireObservations(sweepPorts(), {
    from: null,
    now: new Date(),
    timeIsUp: () => false,
  });
  return { observations_expired: observations };
}

type Cost = {
  readonly seconds: number;
  readonly cpu_seconds: number;
  /** Of the emulators, whose work is AWS's in a deployment; null if there is no `/proc`. */
  readonly stores_cpu_seconds: number | null;
} & ReturnType<typeof used>;

async function measured(step: string, work: () => Promise<object>): Promise<Cost> {
  used();
  const [began, cpu, ofStores] = [performance.now(), cpuMs(), processorSecondsOf([stores.pid])];
  const figures = await work();
  const cost = {
    seconds: rounded((performance.now() - began) / 1_000),
    cpu_seconds: rounded((cpuMs() - cpu) / 1_000),
    stores_cpu_seconds: ofStores === null ? null : rounded((processorSecondsOf([stores.pid]) ?? 0) - ofStores),
    ...used(),
  };
  print({ step, ...figures, ...cost });
  return cost;
}

/** The sum of each figure. */
function sumOf(costs: readonly Cost[]): Readonly<Record<string, number>> {
  const names = Object.keys(costs[0] ?? {}) as (keyof Cost)[];
  return Object.fromEntries(
    names.map((name) => [name, rounded(costs.reduce((sum, one) => sum + (one[name] ?? 0), 0))]),
  );
}

function print(figures: object): void {
  printLine({ relations: loaded.relations, seed, ...figures });
}
