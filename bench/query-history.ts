import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { registry } from '../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { createConnector } from '../shared/domain/workspaces/access/connectors.ts';
import { createWorkspace } from '../shared/domain/workspaces/access/workspaces.ts';
import { accessLogBytes, metered, startMetering } from './cost/metered.ts';
import { dollars, total } from './cost/prices.ts';
import { acceptEvents, projectAccepted } from './support/openlineage-work.ts';
import { startStoresProcess } from './support/stores.ts';

// A day of a query history, as JSON lines: what the exporter takes to read it, and what its events cost in AWS: of jobs
// that nobody knows, and the next day of the same. Needs Python.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, shapes: { type: 'string', default: '200' } },
});
const [rows, shapes] = [Number(values.rows), Number(values.shapes)];
const namespace = 'postgres://db.example:5432';
const folder = mkdtempSync(path.join(tmpdir(), 'query-history-'));
const print = (what: string, figures: object) =>
  writeSync(1, `${JSON.stringify({ bench: 'query-history', what, ...figures })}\n`);

/** A day of PostgreSQL's log: no two statements have the same literals, and each shape runs at all hours. */
function* logOf(day: string): Generator<string> {
  for (let i = 0; i < rows; i++) {
    const shape = i % shapes;
    const at = new Date(Date.parse(`${day}T00:00:00Z`) + (i * 86_400_000) / rows).toISOString();
    const sql = `insert into mart.t${shape} (id, customer, cents, country, day)
      select o.id, o.customer, round(o.amount * ${i}.5) as cents, coalesce(c.country, '${i}'), o.created::date
      from raw.orders_${shape} o left join stage.t${shape % 20} c on c.id = o.customer and c.kind = 'k${i}'
      where o.created >= '${at}' and o.status in ('paid', 'sent', '${i}') group by 1, 2, 3, 4, 5
      on conflict (id) do update set cents = excluded.cents`;
    const time = `${at.slice(0, 10)} ${at.slice(11, 23)} UTC`;
    const message = `"statement: ${sql.replaceAll('"', '""')}"`;
    yield `${time},etl,shop,${shape},,s${shape},1,INSERT,,,0,LOG,00000,${message},,,,,,,,,psql,client backend,,0\n`;
  }
}

const program = `
import importlib.metadata, json, re, resource, sys, time
importlib.metadata.version = lambda name: "bench"
from tributary_warehouse_export.command import main
start = time.monotonic()
code = main(sys.argv[1:])
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"seconds": round(time.monotonic() - start, 1), "cpu_s": round(usage.ru_utime + usage.ru_stime, 1), "mib": int(re.search("VmHWM:[^0-9]*([0-9]+)", open("/proc/self/status").read()).group(1)) // 1024}))
sys.exit(code)
`;

async function exported(day: string): Promise<string[]> {
  const [log, events] = [path.join(folder, 'log.csv'), path.join(folder, 'events.ndjson')];
  await pipeline(Readable.from(logOf(day)), createWriteStream(log));
  const args = ['-c', program, 'postgres', log, '--datasets', namespace, '--output', events];
  const env = { ...process.env, PYTHONPATH: path.resolve('exporters/warehouse/src') };
  const figures = JSON.parse(
    execFileSync('python3', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const lines = readFileSync(events, 'utf8').split('\n').filter(Boolean);
  print(`the export of ${rows} statements of ${shapes} shapes`, { ...figures, events: lines.length });
  return lines;
}

const batch = 1_000;
const stores = await startStoresProcess();
const { dynamodb } = await import('../shared/adapters/aws.ts');
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
const { projectorPorts } = await import('../shared/runtime/composition/workers.ts');
const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
const operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'bench' };
const { id: workspace } = (await createWorkspace(operator, { name: 'history' })).record;
const warehouse = { name: 'warehouse', kind: 'postgres' as const, namespaces: [namespace] };
const { record: connector } = await createConnector(operator, workspace, warehouse);
const place = { workspace, connector: connector.id };

async function sent(what: string, lines: readonly string[]): Promise<void> {
  const bodies = Array.from({ length: Math.ceil(lines.length / batch) }, (_, i) =>
    Buffer.from(`[${lines.slice(i * batch, (i + 1) * batch).join()}]`),
  );
  const [intake, worker] = [ingestPorts(), projectorPorts()];
  const receipts: Awaited<ReturnType<typeof acceptEvents>>[] = [];
  const accepted = await metered('ingest', bodies.length, async () => {
    for (const body of bodies) receipts.push(await acceptEvents(intake, place, body));
  });
  const projected = await metered('projector', bodies.length, async () => {
    for (const receipt of receipts) await projectAccepted(worker, workspace, receipt);
  });
  const requests = { gateway_requests: bodies.length, log_bytes: bodies.length * accessLogBytes };
  const usage = total([requests, 1], [accepted, 1], [projected, 1]);
  print(what, {
    events: lines.length,
    ...dollars(usage),
    units: usage,
    mib: Math.round(process.resourceUsage().maxRSS / 1024),
  });
}

startMetering();
try {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await sent(`the events of ${rows} statements, unknown jobs`, await exported(day(2)));
  await sent(`the events of ${rows} statements, known jobs`, await exported(day(1)));
} finally {
  stores.stop();
  rmSync(folder, { recursive: true });
}
