import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { readStoredObject, storedObjects } from '../../shared/adapters/s3/stored-events.ts';
import { inParallel } from '../../shared/domain/in-parallel.ts';

const objectsAtOnce = 16;

/** The stored rows of a workspace as JSON text, oldest first. One hour of them is held at a time. */
export async function* storedLines(bucket: Bucket, workspace: string): AsyncGenerator<string> {
  const hours = Map.groupBy(await storedObjects(bucket, workspace), hourOf);
  for (const hour of [...hours.keys()].sort()) {
    const rows = (await inParallel(objectsAtOnce, hours.get(hour) ?? [], (key) => rowsIn(bucket, key))).flat();
    // Sorting is stable: what came with one batch stays in its order.
    rows.sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : a.receivedAt > b.receivedAt ? 1 : 0));
    for (const { line } of rows) yield line;
  }
}

/** Projects and environments lie beside one another, hours within them. */
const hourOf = (key: string): string => /\/date=[^/]+\/hour=[^/]+/.exec(key)?.[0] ?? '';

const Received = v.object({ received_at: v.string() });

async function rowsIn(bucket: Bucket, key: string) {
  const text = gunzipSync(await readStoredObject(bucket, key)).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ line, receivedAt: v.parse(Received, JSON.parse(line)).received_at }));
}
