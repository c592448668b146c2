import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { readStoredObject, storedObjects } from '../../shared/adapters/s3/stored-events.ts';
import type { LakeObject } from '../../shared/contract/lake.ts';
import { inParallel } from '../../shared/domain/concurrency/in-parallel.ts';
import { sortedBy } from '../../shared/domain/sorted-by.ts';

const objectsInFlight = 16;

/** The stored rows of a workspace as JSON text, oldest first. One hour of them is held at a time. */
export async function* storedLines(bucket: Bucket, workspace: string): AsyncGenerator<string> {
  const hours = Map.groupBy(await storedObjects(bucket, workspace), hourOf);
  for (const hour of [...hours.keys()].sort()) {
    const rows = (await inParallel(objectsInFlight, hours.get(hour) ?? [], (object) => rowsIn(bucket, object))).flat();
    // Sorting is stable: what came with one batch stays in its order.
    for (const { line } of sortedBy(rows, ({ receivedAt }) => receivedAt)) yield line;
  }
}

/** Projects and environments lie beside one another, hours within them. */
const hourOf = ({ partition }: LakeObject): string => /\/date=[^/]+\/hour=[^/]+$/.exec(partition)?.[0] ?? '';

const Received = v.object({ received_at: v.string() });

async function rowsIn(bucket: Bucket, object: LakeObject) {
  const text = gunzipSync(await readStoredObject(bucket, object)).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ line, receivedAt: v.parse(Received, JSON.parse(line)).received_at }));
}
