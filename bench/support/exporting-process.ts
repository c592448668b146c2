import * as v from 'valibot';
import { exportImplementations } from '../../functions/export/export.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { exportRoutes } from '../../shared/contract/export.ts';
import { exportPorts } from '../../shared/runtime/composition/queries.ts';
import { cpuMs, rounded } from './figures.ts';
import { countUnits } from './units.ts';

/** Exports a workspace as NDJSON in a process that did nothing else: one JSON line on stdout. */
const [, , workspace = ''] = process.argv;
const { exportLineage } = exportImplementations(exportPorts());
const query = v.parse(exportRoutes.exportLineage.query, { workspace_id: workspace, output: 'ndjson' });
const unitsSince = countUnits(dynamodb());

const request = { workspace, query, now: new Date() } as unknown as Parameters<typeof exportLineage>[0];
const [began, used] = [performance.now(), cpuMs()];
const reply = await exportLineage(request);
if (!('bytes' in reply)) throw new Error('no stream');
let [lines, bytes] = [0, 0];
for await (const part of reply.bytes as AsyncIterable<string>) {
  bytes += part.length;
  lines += part.split('\n').length - 1;
}
const seconds = (performance.now() - began) / 1000;
const cpu_seconds = rounded((cpuMs() - used) / 1_000);
const units = unitsSince();

process.stdout.write(
  `${JSON.stringify({
    lines,
    mebibytes: rounded(bytes / 2 ** 20),
    seconds: rounded(seconds),
    cpu_seconds,
    requests: units.requests,
    read_units: rounded(units.read_units),
    peak_rss_mib: rounded(process.resourceUsage().maxRSS / 1024),
  })}\n`,
);
process.exit();
