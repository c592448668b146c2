import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { openedGraph } from '../shared/domain/lineage/generations/graph-record.ts';
import { findColumns } from '../shared/domain/lineage/queries/relations/find-columns.ts';
import { findRelations } from '../shared/domain/lineage/queries/relations/find-relations.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { startBenchWorkspace } from './support/bench-graph.ts';
import { cpuMs, printerOf, quantile, rounded } from './support/figures.ts';
import { countUnits } from './support/units.ts';

// What searches for relations, by their names and by their columns, cost on graphs of growing size, one JSON line a figure. `--domains 10,100`: 1,000 relations each.
const { values } = parseArgs({
  options: { domains: { type: 'string', default: '10,100' }, questions: { type: 'string', default: '40' } },
});
const { stores, table, workspace, connector } = await startBenchWorkspace();
const used = countUnits(table.client);
const ports = queriesPorts();
const loader = fork(new URL('./support/named-graph-process.ts', import.meta.url), [workspace, connector]);
let domains = 0;
const print = printerOf('search');

/** Words by the number of a question, and whether relations are found by their names or by their columns. */
const searches: Readonly<Record<string, readonly [wordsOf: (i: number) => string, find: Find]>> = {
  'the beginning of a last part': [(i) => `l${i % 10}`, findRelations],
  'the beginning of a column': [(i) => ['cust', 'pay', 'sess', 'inv'][i % 4] ?? '', findColumns],
};

const context = { ...openedGraph(workspace, { generation: 0, forgotten: {} }), connectors: new Map() };
try {
  for (const target of values.domains.split(',').map(Number)) {
    loader.send(target);
    [domains] = await once(loader, 'message');
    for (const [search, [wordsOf, find]] of Object.entries(searches)) await measure(search, wordsOf, find);
  }
} finally {
  loader.disconnect();
  stores.stop();
}

type Find = typeof findRelations | typeof findColumns;

async function measure(search: string, wordsOf: (i: number) => string, find: Find): Promise<void> {
  const ask = (i: number) =>
    find({ reader: ports, context }, { workspace, connectorId: connector, query: wordsOf(i), limit: 20, cursor: null });
  for (let i = 0; i < 5; i++) await ask(i);
  const [times, units]: [number[], number[]] = [[], []];
  const cpu = cpuMs();
  for (let i = 0; i < Number(values.questions); i++) {
    used();
    const began = performance.now();
    await ask(i);
    times.push(performance.now() - began);
    units.push(used().read_units);
  }
  const figures = {
    client_cpu_ms: rounded((cpuMs() - cpu) / times.length),
    p50_ms: rounded(quantile(times, 0.5)),
    p95_ms: rounded(quantile(times, 0.95)),
    read_units_max: Math.max(...units),
  };
  print({ relations: domains * 1_000, search, ...figures });
}
