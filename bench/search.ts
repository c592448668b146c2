import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { sweepTasks } from '../functions/sweep/tasks.ts';
import { openedGraph } from '../shared/domain/lineage/generations/graph-record.ts';
import { findColumns } from '../shared/domain/lineage/queries/relations/find-columns.ts';
import { findRelations } from '../shared/domain/lineage/queries/relations/find-relations.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { sweepPorts } from '../shared/runtime/composition/workers.ts';
import { roundTripMs, startBenchWorkspace } from './support/bench-graph.ts';
import { cpuMs, printerOf, quantile, rounded } from './support/figures.ts';
import { countUnits } from './support/units.ts';

// What searches for relations, by their names and by their columns, cost on graphs of growing size, one JSON line a figure. `--domains 10,100`: 1,000 relations each.
const { values } = parseArgs({
  options: { domains: { type: 'string', default: '10,100' }, questions: { type: 'string', default: '40' } },
});
const { stores, table, workspace, connector } = await startBenchWorkspace();
const used = countUnits(table.client);
let ports = queriesPorts();
const loader = fork(new URL('./support/named-graph-process.ts', import.meta.url), [workspace, connector]);
let domains = 0;
const print = printerOf('search');

const searches: Readonly<Record<string, (i: number) => string>> = {
  'a whole name': (i) => `db.d${i % domains}.l4_${i}`,
  'a last part': (i) => `l${i % 10}_${i}`,
  'the beginning of a last part': (i) => `l${i % 10}`,
  'a schema': (i) => `d${i % domains}`,
  'two words': (i) => `d${i % domains} l${i % 10}_`,
  'the database': () => 'db',
  'a part of a part': (i) => `${i % 10}_${i}`,
  'a typo': (i) => `db.d${i % domains}.l4x_${i}`,
  'a word that nothing has': (i) => `zebra${i}`,
  everything: () => '',
};

const columnSearches: typeof searches = {
  'a whole column': (i) => (i % 2 === 0 ? 'customer_id' : 'order_amount'),
  'the beginning of a column': (i) => ['cust', 'pay', 'sess', 'inv'][i % 4] ?? '',
  'a rare column': (i) => `feature_${i * 7}`,
  'a column of a schema': (i) => `d${i % domains} customer_id`,
  'a part of a column': () => 'tomer_i',
  'a typo in a column': (i) => (i % 2 === 0 ? 'custmer_id' : 'oder_amount'),
  'a column that nothing has': (i) => `zebra${i}`,
};

const context = { ...openedGraph(workspace, { generation: 0, forgotten: {} }), connectors: new Map() };
try {
  for (const target of values.domains.split(',').map(Number)) {
    loader.send(target);
    [domains] = await once(loader, 'message');
    await listNames();
    // A process remembers a list.
    ports = queriesPorts();
    for (const [search, wordsOf] of Object.entries(searches)) await measure(search, wordsOf, findRelations);
    for (const [search, wordsOf] of Object.entries(columnSearches)) await measure(search, wordsOf, findColumns);
  }
} finally {
  loader.disconnect();
  stores.stop();
}

/** What the sweep spends on the list of names that searches look through. */
async function listNames(): Promise<void> {
  const now = new Date();
  // The graph was written without deliveries.
  const tasks = sweepTasks({ ...sweepPorts(), touched: async () => now.toISOString() });
  used();
  const [began, cpu] = [performance.now(), cpuMs()];
  await tasks.names({ now, hourly: true, timeIsUp: () => false });
  const cpu_ms = Math.round(cpuMs() - cpu);
  const { read_units, requests } = used();
  const took = { cpu_ms, took_ms: Math.round(performance.now() - began) };
  print({ relations: domains * 1_000, step: 'list of names', read_units, requests, ...took });
}

type Search = Parameters<typeof findColumns>[1];
type Find = (
  query: { readonly reader: typeof ports; readonly context: typeof context },
  search: Search,
) => ReturnType<typeof findColumns>;

async function measure(search: string, wordsOf: (i: number) => string, find: Find): Promise<void> {
  const ask = (i: number) =>
    find({ reader: ports, context }, { workspace, connectorId: connector, query: wordsOf(i), limit: 20, cursor: null });
  for (let i = 0; i < 5; i++) await ask(i);
  const [times, units, requests]: [number[], number[], number[]] = [[], [], []];
  const cpu = cpuMs();
  let found = 0;
  for (let i = 0; i < Number(values.questions); i++) {
    used();
    const began = performance.now();
    found = (await ask(i)).items.length;
    times.push(performance.now() - began);
    const { read_units, requests: sent } = used();
    units.push(read_units);
    requests.push(sent);
  }
  const figures = {
    client_cpu_ms: rounded((cpuMs() - cpu) / times.length),
    requests_max: Math.max(...requests),
    one_round_trip_ms: await roundTripMs({ table, workspace }),
    p50_ms: rounded(quantile(times, 0.5)),
    p95_ms: rounded(quantile(times, 0.95)),
    read_units_max: Math.max(...units),
  };
  print({ relations: domains * 1_000, search, found, ...figures });
}
