import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { startLineageWorld } from '../test/support/lineage-world.ts';

/**
 * A manifest from its acceptance to its projected columns, over emulators in this process; one JSON line:
 * `manifest.ts MANIFEST.json[.gz]`. Processor time tells more than the clock where the machine does other work.
 */
const [file] = process.argv.slice(2);
if (file === undefined || !existsSync(file)) throw new Error('usage: manifest.ts MANIFEST.json[.gz]');
const bytes = readFileSync(file);
const manifest = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());

const world = await startLineageWorld();
try {
  const place = await world.place();
  for (const pass of ['cold', 'again']) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const { status, json } = await place.declare('/v1/lineage/dbt/manifest', { manifest });
    const { user, system } = process.cpuUsage(before);
    const figures = { status, models: json.models, column_maps: json.column_maps, observations: json.observations };
    const seconds = { seconds: (performance.now() - start) / 1e3, processor_seconds: (user + system) / 1e6 };
    const rss_mb = Math.round(process.memoryUsage().rss / 1e6);
    process.stdout.write(`${JSON.stringify({ bench: 'manifest', pass, ...figures, ...seconds, rss_mb })}\n`);
    manifest.metadata = { ...manifest.metadata, generated_at: new Date().toISOString() };
  }
} finally {
  await world.stop();
}
