import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type LineagePlace, startLineageWorld } from '../test/support/lineage-world.ts';
import { type ModelsManifest, modelsManifest, relationOf, withLessRead } from './support/models-manifest.ts';
import { objectReadsOf } from './support/object-reads.ts';
import { quantile } from './support/quantile.ts';
import { removeDerivations } from './support/removed-derivations.ts';

// What an explanation of an edge, and a comparison of two times, read from large dbt manifests: first through the stored form of
// them, then, without it, by reading them whole. One JSON line a question; the S3 emulator is in this process.
const { values } = parseArgs({ options: { mib: { type: 'string', default: '3,30,100' } } });
const [noteBytes, sqlBytes, times] = [20_000, 4_000, 5];

const world = await startLineageWorld();
try {
  for (const mib of values.mib.split(',').map(Number)) await measureManifest(mib);
} finally {
  await world.stop();
}

async function measureManifest(mib: number): Promise<void> {
  const place = await world.place();
  const models = Math.ceil((mib * 2 ** 20) / (noteBytes + sqlBytes));
  const manifest = modelsManifest({ models, sqlBytes, noteBytes });
  const middle = Math.floor(models / 2);
  await take(place, manifest);
  const from = await moment(place);
  await take(place, withLessRead(manifest, middle));
  const to = await moment(place);
  const ends = { upstream: relationOf(middle - 1), downstream: relationOf(middle) };
  const questions = [
    ['explain', '/v1/lineage/edges/explain', ends],
    ['diff', '/v1/lineage/diff', { from, to }],
  ] as const;
  for (const read of ['kept', 'whole']) {
    if (read === 'whole') await removeDerivations(place.workspace);
    for (const [question, path, query] of questions)
      print({ mib, models, question, read, ...(await measured(() => place.ask(path, query))) });
  }
}

async function measured(ask: () => ReturnType<LineagePlace['ask']>) {
  const processor: number[] = [];
  for (let i = 0; ; i++) {
    const before = process.cpuUsage();
    const { answer, reads } = await objectReadsOf(ask);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1_000);
    if (answer.status !== 200) throw new Error('a question is not answered');
    if (i < times) continue;
    const bytes = reads.reduce((sum, one) => sum + one.bytes, 0);
    const { evidence, columns } = answer.json;
    const unread = evidence?.[0].delivery.payload.unread_reason ?? null;
    return { object_reads: reads.length, bytes, cpu_ms: quantile(processor, 0.5), unread, columns: columns?.length };
  }
}

async function take(place: LineagePlace, manifest: ModelsManifest): Promise<void> {
  const body = { manifest, completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() };
  const { status, json } = await place.declare('/v1/lineage/dbt/manifest', body);
  if (status !== 202) throw new Error(`the manifest is not taken: ${JSON.stringify(json)}`);
}

/** The moment of the newest answer, after which everything that follows happens. */
async function moment(place: LineagePlace): Promise<string> {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: relationOf(0) });
  for (;;) if (new Date().toISOString() > json.as_of) return json.as_of;
}

function print(figures: object): void {
  process.stdout.write(`${JSON.stringify({ bench: 'evidence', ...figures })}\n`);
}
