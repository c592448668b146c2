import * as v from 'valibot';
import { exportImplementations } from '../../functions/export/export.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { exportRoutes } from '../../shared/contract/export.ts';
import { exportPorts } from '../../shared/runtime/composition/queries.ts';
import { memoryNow } from './memory.ts';
import { countUnits } from './units.ts';

/** Exports a workspace as NDJSON in a process that did nothing else: one JSON line on stdout, given the expected number of lines. */
const [, , workspace = '', expected = '0'] = process.argv;
const { exportLineage } = exportImplementations(exportPorts());
const query = v.parse(exportRoutes.exportLineage.query, { workspace_id: workspace, output: 'ndjson' });
const unitsSince = countUnits(dynamodb());

const request = { workspace, query, now: new Date() } as unknown as Parameters<typeof exportLineage>[0];
const before = memoryNow();
const [began, used] = [performance.now(), process.cpuUsage()];
const reply = await exportLineage(request);
if (!('bytes' in reply)) throw new Error('no stream');
const marks = [0.1, 0.5, 0.9].map((share) => share * Number(expected));
const memory = [before];
let [lines, bytes] = [0, 0];
for await (const part of reply.bytes as AsyncIterable<string>) {
  bytes += part.length;
  lines += part.split('\n').length - 1;
  if (lines >= (marks[0] ?? Number.POSITIVE_INFINITY)) {
    marks.shift();
    memory.push(memoryNow());
  }
}
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(used);
memory.push(memoryNow());
const units = unitsSince();

/** The first pages of JSON, each from the cursor of the one before. */
const [pageTimes, pageUnits]: [number[], number[]] = [[], []];
unitsSince();
for (let cursor: string | null = ''; cursor !== null && pageTimes.length < 20; ) {
  const input = { ...query, output: 'json' as const, ...(cursor !== '' && { cursor }) };
  const start = performance.now();
  const page = await exportLineage({ ...request, query: input });
  pageTimes.push(performance.now() - start);
  pageUnits.push(unitsSince().read_units);
  cursor = 'body' in page ? page.body.next_cursor : null;
}
const rounded = (value: number) => Number(value.toFixed(1));
const median = (values: number[]) => rounded(values.sort((a, b) => a - b)[values.length >> 1] ?? 0);
process.stdout.write(
  `${JSON.stringify({
    lines,
    mebibytes: rounded(bytes / 2 ** 20),
    seconds: rounded(seconds),
    cpu_seconds: rounded((user + system) / 1e6),
    requests: units.requests,
    read_units: rounded(units.read_units),
    peak_rss_mib: rounded(process.resourceUsage().maxRSS / 1024),
    json_page_p50_ms: median(pageTimes),
    json_page_read_units_p50: median(pageUnits),
    memory_at_0_10_50_90_100: memory,
  })}\n`,
);
process.exit();
