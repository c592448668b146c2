import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { dynamodb, s3 } from '../shared/adapters/aws.ts';
import { registry } from '../shared/adapters/dynamodb/registry.ts';
import { graphWriters } from '../shared/adapters/graph-writers.ts';
import { createConnector } from '../shared/domain/access/connectors.ts';
import { createWorkspace } from '../shared/domain/access/workspaces.ts';
import { findRelations } from '../shared/domain/queries/relations/find-relations.ts';
import { systemClock } from '../shared/domain/time/clock.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { bulkWriters } from './support/bulk-writers.ts';
import { layeredGraph } from './support/layered-graph.ts';
import { startStoresProcess } from './support/stores.ts';
import { countUnits } from './support/units.ts';

// What searches for relations cost on graphs of growing size, one JSON line a figure. `--domains 10,100`: 1,000 relations each.
const { values } = parseArgs({
  options: { domains: { type: 'string', default: '10,100' }, questions: { type: 'string', default: '40' } },
});
const stores = await startStoresProcess();
const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
const taken = countUnits(table.client);
const operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'bench' };
const workspace = (await createWorkspace(operator, { name: 'bench' })).record.id;
const warehouse = { name: 'warehouse', kind: 'postgres' as const, namespaces: ['postgres://db:5432'] };
const connector = (await createConnector(operator, workspace, warehouse)).record.id;
const writers = graphWriters(table, { client: s3(), name: process.env['RAW_BUCKET'] ?? '' });
const bulk = bulkWriters(table, writers, workspace);
const graph = layeredGraph(bulk, workspace, connector);
const ports = queriesPorts();

const searches: Readonly<Record<string, (i: number) => string>> = {
  'a whole name': (i) => `db.d${i % graph.domains()}.l4_${i}`,
  'a last part': (i) => `l${i % 10}_${i}`,
  'the beginning of a last part': (i) => `l${i % 10}`,
  'a schema': (i) => `d${i % graph.domains()}`,
  'two words': (i) => `d${i % graph.domains()} l${i % 10}_`,
  'the database': () => 'db',
  'a word that nothing has': (i) => `zebra${i}`,
  everything: () => '',
};

try {
  for (const domains of values.domains.split(',').map(Number)) {
    while (graph.domains() < domains) await growNamed();
    await bulk.flush();
    for (const [search, wordsOf] of Object.entries(searches)) await measure(search, wordsOf);
  }
} finally {
  stores.stop();
}

/** What jobs observed is written without names by the bulk. */
async function growNamed(): Promise<void> {
  const domain = graph.domains();
  await graph.grow();
  const refs = Array.from({ length: 1_000 }, (_, i) => graph.refOf(domain, Math.floor(i / 100), i % 100));
  await writers.directory.add(
    workspace,
    refs.map((ref) => ({ kind: 'relation', connectorId: connector, ref })),
  );
}

async function measure(search: string, wordsOf: (i: number) => string): Promise<void> {
  const ask = (i: number) =>
    findRelations(ports, { workspace, connectorId: connector, query: wordsOf(i), limit: 20, cursor: null });
  for (let i = 0; i < 5; i++) await ask(i);
  const [times, units, requests]: [number[], number[], number[]] = [[], [], []];
  const cpu = process.cpuUsage();
  let found = 0;
  for (let i = 0; i < Number(values.questions); i++) {
    taken();
    const began = performance.now();
    found = (await ask(i)).items.length;
    times.push(performance.now() - began);
    const { read_units, requests: sent } = taken();
    units.push(read_units);
    requests.push(sent);
  }
  const { user, system } = process.cpuUsage(cpu);
  const figures = {
    client_cpu_ms: Number(((user + system) / 1_000 / times.length).toFixed(1)),
    requests_max: Math.max(...requests),
    one_round_trip_ms: quantile(await roundTrips(), 0.5),
    p50_ms: quantile(times, 0.5),
    p95_ms: quantile(times, 0.95),
    read_units_max: Math.max(...units),
  };
  print({ relations: graph.domains() * 1_000, search, found, ...figures });
}

async function roundTrips(): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    await operator.registry.workspaces.find({ id: workspace });
    times.push(performance.now() - began);
  }
  return times;
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'search', ...figures })}\n`);
}

function quantile(numbers: readonly number[], q: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(1));
}
