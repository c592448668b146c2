import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import * as v from 'valibot';
import { pythonEnvironment } from '../scripts/python-environment.mjs';
import { ImpactAnswer } from '../shared/contract/impact.ts';
import { type Entity, startDatahubApi } from '../test/exporters/datahub-api.ts';
import { commandJson } from '../test/support/command-line.ts';
import { startProcess } from '../test/support/service-process.ts';
import { chartFields, entitiesOf } from './support/datahub-golden.ts';

// How many fields of charts that DataHub's golden files connect to a field of a dataset are connected in the answer of
// the service: `node bench/dashboards.ts FOLDER` with a folder of files for each tool, such as DataHub's
// metadata-ingestion/tests/integration. The files go through DataHub's API, the exporter, and a push of each on its own.
const { positionals } = parseArgs({ allowPositionals: true });
const [golden] = positionals;
if (golden === undefined) throw new Error('Name a folder with golden files: node bench/dashboards.ts FOLDER');
const leastShare = 0.95;

const root = path.resolve(import.meta.dirname, '..', 'exporters', 'datahub');
const sources = globSync('src/**/*.py', { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'));
const commands = pythonEnvironment('datahub-export', [root], sources.join('\n'));
if (commands === null) throw new Error('The exporter cannot be installed without Python and its package index.');

type Counts = { files: number; charts: number; fields: number; connected: number; missing: string[] };
const tools = new Map<string, Counts>();
const folder = mkdtempSync(path.join(tmpdir(), 'dashboards-'));
const token = 'a-token-of-datahub';
const service = await startProcess(['--in-memory', '--seed', 'conformance']);
const { base_url, workspaces } = service.credentials;
const acme = workspaces['acme'];
const place = { workspace_id: acme?.id ?? '', connector_id: acme?.connectors['warehouse']?.id ?? '' };
const headers = { authorization: `Bearer ${acme?.tokens['admin']}` };
const tributary = (...args: string[]) =>
  commandJson([...args, '--credentials', service.file, '--workspace', 'acme', '--connector', 'warehouse'], { folder });
try {
  for (const file of globSync('**/*.json', { cwd: golden }).sort()) await measure(file, path.join(golden, file));
} finally {
  await service.end('SIGTERM');
  rmSync(folder, { recursive: true });
}
report();

async function measure(name: string, file: string): Promise<void> {
  const entities = entitiesOf(JSON.parse(readFileSync(file, 'utf8')));
  const fields = chartFields(entities['chart'] ?? []);
  if (fields.length === 0) return;
  const tool = fields[0]?.tool ?? '';
  const counts = tools.get(tool) ?? { files: 0, charts: 0, fields: 0, connected: 0, missing: [] };
  tools.set(tool, counts);
  counts.files++;
  counts.charts += new Set(fields.map(({ chart }) => chart)).size;
  await push(entities);
  for (const one of fields) {
    counts.fields++;
    if (await isConnected(one)) counts.connected++;
    else counts.missing.push(`${name}: ${one.dataset} ${one.column} -> ${one.chart} ${one.field}`);
  }
}

/** The export of a file replaces that of the file before. */
async function push(entities: Readonly<Record<string, readonly Entity[]>>): Promise<void> {
  const datahub = await startDatahubApi({ token, entities });
  const exported = path.join(folder, 'export.json');
  const command = path.join(String(commands), 'tributary-datahub-export');
  const env = { ...process.env, DATAHUB_GMS_TOKEN: token };
  await promisify(execFile)(command, ['--url', datahub.url, '--output', exported], { env });
  await datahub.stop();
  await tributary('push', 'datahub', exported, '--source', 'golden', '--force');
}

/** Whether the answer about the column of the dataset names the field of the chart. */
async function isConnected({ dataset, column, chart, field }: ReturnType<typeof chartFields>[number]) {
  const question = {
    relation_ref: dataset,
    column_ref: column,
    direction: 'downstream',
    max_depth: '1',
    max_nodes: '500',
  };
  const response = await fetch(`${base_url}/v1/lineage/impact?${new URLSearchParams({ ...place, ...question })}`, {
    headers,
  });
  const { downstream } = v.parse(ImpactAnswer, await response.json());
  return downstream.some(({ relation_ref, columns }) => relation_ref === chart && columns.includes(field));
}

function report(): void {
  const rows = [...tools].map(([tool, { missing, fields, connected, ...counts }]) => ({
    tool,
    ...counts,
    fields,
    connected,
    share: `${((100 * connected) / fields).toFixed(1)} %`,
  }));
  console.table(rows);
  for (const { missing } of tools.values()) for (const one of missing.slice(0, 10)) console.error(one);
  if ([...tools.values()].some(({ fields, connected }) => connected < leastShare * fields)) process.exitCode = 1;
}
