import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { writeParquet } from '../cli/export/parquet.ts';
import { ConnectorId } from '../shared/contract/ids.ts';
import { relationRefOf } from '../shared/domain/lineage/graph/node.ts';
import { type ExportContext, exportEvents } from '../shared/domain/lineage/sources/openlineage/export.ts';
import { askParquet, wholeGraphQuestions } from '../test/support/whole-graph.ts';
import { layeredDerivations } from './support/layered-graph.ts';

// One JSON line a step: writing the layered graph as Parquet, then each question of docs/whole-graph.md by DuckDB. The
// processor's time (Linux) is what other work on the machine disturbs least; memory is the process's largest so far.
const { values } = parseArgs({ options: { domains: { type: 'string', default: '371' } } });
const connectorId = v.parse(ConnectorId, '00000000-0000-4000-8000-000000000001');
const folder = mkdtempSync(path.join(tmpdir(), 'whole-graph-'));

const context: ExportContext = {
  nameOf: (node) => ({ namespace: 'postgres://bench.test:5432', name: relationRefOf(node) }),
  asOf: '2026-01-01T00:00:00.000Z',
  profile: 'job',
};

try {
  const graph = path.join(folder, 'graph');
  const written = await measured('write', () => writeParquet(lines(), graph));
  const bytes = readdirSync(graph).reduce((sum, file) => sum + statSync(path.join(graph, file)).size, 0);
  console.log(JSON.stringify({ bench: 'whole-graph', bytes, ...written }));
  const ask = await askParquet(graph);
  for (const { title, sql } of wholeGraphQuestions()) {
    const rows = await measured(title, () => ask(sql));
    console.log(JSON.stringify({ rows: rows.length, first: rows[0] }));
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function* lines(): AsyncGenerator<string> {
  for (const derivations of layeredDerivations(connectorId, Number(values.domains)))
    for (const event of exportEvents(context, derivations)) yield JSON.stringify(event);
}

async function measured<T>(step: string, work: () => Promise<T>): Promise<T> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10;
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  const wall = seconds(performance.now() - start);
  console.log(
    JSON.stringify({
      bench: 'whole-graph',
      step,
      seconds: wall,
      processorSeconds: seconds((user + system) / 1_000),
      peakMiB,
    }),
  );
  return result;
}
