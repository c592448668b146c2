import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as v from 'valibot';
import { impactImplementations } from '../functions/queries/impact.ts';
import { takeOrder } from '../shared/adapters/dynamodb/scope-heads.ts';
import { impactRoutes } from '../shared/contract/routes/impact.ts';
import { inParallel } from '../shared/domain/concurrency/in-parallel.ts';
import type { Derivation } from '../shared/domain/graph/derivation.ts';
import { scopeId } from '../shared/domain/graph/ids.ts';
import { acceptOpenLineage } from '../shared/domain/ingest/accept-openlineage.ts';
import { pruneDeadOrders } from '../shared/domain/operations/sweep/prune-dead-orders.ts';
import { loadSnapshot } from '../shared/domain/projection/load-snapshot.ts';
import { projectDelivery } from '../shared/domain/projection/project-delivery.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { projectorPorts, sweepPorts } from '../shared/runtime/composition/workers.ts';
import { startBenchWorkspace } from './support/bench-graph.ts';
import { quantile } from './support/quantile.ts';
import { randomFloats } from './support/random-floats.ts';
import { derivationsOf, hubRef, realisticSources, refOf, type Source, sourceSizes } from './support/realistic-graph.ts';
import { schedulerEvents } from './support/scheduler-events.ts';
import { tableSize } from './support/table-size.ts';
import { countUnits } from './support/units.ts';

// A warehouse of so many relations, loaded through the projection as projects and schedulers state it; then its size,
// answers, export, the retraction of its largest project, and garbage. One JSON line a step; a seed gives the same graph.
// `node bench/large-graph.ts [--relations 100000] [--seed 1] [--questions 40]`
const { values } = parseArgs({
  options: {
    relations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    questions: { type: 'string', default: '40' },
  },
});
const [relations, seed] = [Number(values.relations), Number(values.seed)];
Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_LOG_LEVEL: 'CRITICAL' });
const { stores, table, workspace, connector } = await startBenchWorkspace();
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
const [intake, worker] = [ingestPorts(), projectorPorts()];
const { getImpact } = impactImplementations(queriesPorts());
const taken = countUnits(table.client);
let [edges, models] = [0, 0];

try {
  await measured('load', load);
  await measured('size', size);
  await answers();
  await measured('export', exported);
  await measured('retract', retract);
  await answers();
  await measured('prune', () => collect(0));
  await measured('forget', () => collect(120));
  await measured('size', size);
} finally {
  stores.stop();
}

async function load() {
  let [projects, schedulers] = [0, 0];
  for (const source of realisticSources(relations, seed)) {
    if (source.kind === 'project') await declare(source.name, derivationsOf(source, connector));
    else await observe(source);
    if (source.kind === 'project') projects++;
    else schedulers++;
    models += source.models.length;
    edges += source.models.reduce((sum, { inputs }) => sum + inputs.length, 0);
    process.stderr.write(`${source.name}: ${edges} edges\n`);
  }
  return { projects, schedulers, models, edges };
}

/** As a declared document is loaded once it is read. */
async function declare(name: string, derivations: readonly Derivation[]): Promise<number> {
  const scopeKey = `bench:${name}`;
  const provider = { providerType: 'dbt_manifest', providerInstanceId: name };
  const scope = { scope: scopeId(scopeKey), scopeKey, kind: 'snapshot', ...provider } as const;
  const { state, retracted } = await loadSnapshot(worker, workspace, {
    scope,
    order: await takeOrder(table, workspace, scope, true),
    complete: true,
    deliveryId: name,
    receivedAt: new Date().toISOString(),
    derivations,
    shrinkGuard: { mode: 'off', share: 1 },
    released: false,
  });
  if (state !== 'projected') throw new Error(`${name} is ${state}`);
  return retracted;
}

/** A run of each job, by batches of 100, accepted and projected. */
async function observe(source: Source): Promise<void> {
  const events = schedulerEvents(source, 'postgres://db:5432');
  const batches = Array.from({ length: Math.ceil(events.length / 100) }, (_, i) =>
    events.slice(i * 100, i * 100 + 100),
  );
  await inParallel(4, batches, async (batch) => {
    const { delivery_id } = await acceptOpenLineage(intake, {
      workspace,
      kind: 'openlineage_batch',
      connectorId: connector,
      providerKey: null,
      idempotencyKey: null,
      payload: { bytes: Buffer.from(JSON.stringify(batch)), contentType: 'application/json', contentEncoding: null },
    });
    const message = { version: 1, workspace_id: workspace, delivery_id } as Parameters<typeof projectDelivery>[1];
    await projectDelivery(worker, message, { receiveCount: 1 });
  });
}

async function size() {
  const { items, bytes } = await tableSize(table.name);
  return { items, mebibytes: rounded(bytes / 2 ** 20), bytes_per_edge: rounded(bytes / edges) };
}

async function answers(): Promise<void> {
  const random = randomFloats(seed);
  const sizes = sourceSizes(relations);
  const anywhere = (layer: number) => () => {
    const project = Math.floor(random() * sizes.length);
    return refOf(project, layer, Math.floor((random() * (sizes[project] ?? 0)) / 4));
  };
  await ask('what feeds a mart', 'upstream', anywhere(3));
  await ask('what breaks with a staged relation', 'downstream', anywhere(1));
  await ask('what breaks with the most read dimension', 'downstream', hubRef);
}

async function ask(question: string, direction: string, refOfNext: () => string): Promise<void> {
  const [times, nodes, units, requests]: [number[], number[], number[], number[]] = [[], [], [], []];
  const cpu = process.cpuUsage();
  for (let i = 0; i < Number(values.questions); i++) {
    const began = performance.now();
    const { upstream, downstream, cost } = await impact(refOfNext(), direction);
    times.push(performance.now() - began);
    nodes.push(upstream.length + downstream.length);
    units.push(cost.read_units);
    requests.push(cost.requests);
  }
  const { user, system } = process.cpuUsage(cpu);
  print({
    step: 'answer',
    question,
    nodes_p50: quantile(nodes, 0.5),
    p50_ms: rounded(quantile(times, 0.5)),
    p95_ms: rounded(quantile(times, 0.95)),
    client_cpu_ms: rounded((user + system) / 1_000 / times.length),
    read_units_p50: quantile(units, 0.5),
    requests_p50: quantile(requests, 0.5),
  });
}

async function impact(relation_ref: string, direction: string) {
  const raw = { workspace_id: workspace, connector_id: connector, relation_ref, direction, max_nodes: '500' };
  const query = v.parse(impactRoutes.getImpact.query, raw);
  const reply = await getImpact({ workspace, query, now: new Date() } as unknown as Parameters<typeof getImpact>[0]);
  if (reply.status !== 200 || !('body' in reply)) throw new Error('no answer');
  return reply.body;
}

/** In a process of its own, which holds nothing of what loading left behind. */
async function exported() {
  const file = fileURLToPath(new URL('./support/exporting-process.ts', import.meta.url));
  const args = ['--expose-gc', file, workspace, String(models)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return { export: JSON.parse(stdout) };
}

/** The largest project states nothing any more. */
async function retract() {
  return { retracted_edges: await declare('p0', []) };
}

/** The sweep's garbage, so many days from now. */
async function collect(days: number) {
  const now = new Date(Date.now() + days * 86_400_000);
  const onOrderFailed = (_: unknown, error: unknown) => {
    throw error;
  };
  return pruneDeadOrders(sweepPorts(), { now, timeIsUp: () => false, onOrderFailed });
}

async function measured(step: string, work: () => Promise<object>): Promise<void> {
  taken();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const figures = await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = rounded((performance.now() - began) / 1_000);
  print({ step, ...figures, seconds, cpu_seconds: rounded((user + system) / 1e6), ...taken() });
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'large-graph', relations, seed, ...figures })}\n`);
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
