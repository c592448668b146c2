import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { objectsSince, readStoredObject, storedObjects } from '../../shared/adapters/s3/event-lake.ts';
import { lakeObjectKey, type StoredObject, storedObjectKey } from '../../shared/contract/lake.ts';
import { Fault } from '../../shared/contract/problems.ts';
import { sortedBy } from '../../shared/domain/base/collections.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import type { Clock } from '../../shared/domain/base/time/timestamp.ts';
import { linesOf } from '../../shared/domain/events/store/store-batches.ts';

const objectsInFlight = 16;

/** The stored rows of a workspace as JSON text, oldest first. Holds one hour of them at a time. */
export async function* storedLines(
  bucket: Bucket,
  workspace: string,
  onListed: (object: StoredObject) => unknown = () => undefined,
): AsyncGenerator<string> {
  const objects = await storedObjects(bucket, workspace);
  for (const object of objects) onListed(object);
  const hours = Map.groupBy(objects, hourOf);
  for (const hour of [...hours.keys()].sort()) {
    let lines = await linesIn(bucket, hours.get(hour) ?? []);
    // Compacted since it was listed.
    while (lines === null) {
      const repeated = await storedObjects(bucket, workspace);
      lines = await linesIn(
        bucket,
        repeated.filter((object) => hourOf(object) === hour),
      );
    }
    yield* lines;
  }
}

/** The rows of some objects as JSON text, oldest first; null if one of them is gone. */
async function linesIn(bucket: Bucket, objects: readonly StoredObject[]): Promise<readonly string[] | null> {
  const found = await inParallel(objectsInFlight, objects, (object) => rowsIn(bucket, object));
  const rows = found.flatMap((one) => one ?? []);
  // Sorting is stable: what came with one batch stays in its order.
  return found.includes(null) ? null : sortedBy(rows, ({ receivedAt }) => receivedAt).map(({ line }) => line);
}

/** Projects and environments are folders, hours folders within them. */
const hourOf = ({ partition }: StoredObject): string => /\/date=[^/]+\/hour=[^/]+$/.exec(partition)?.[0] ?? '';

const Received = v.object({ received_at: v.string() });

async function rowsIn(bucket: Bucket, object: StoredObject) {
  const bytes = await readStoredObject(bucket, object);
  if (bytes === null) return null;
  return Array.from(linesOf(object, bytes), (line) => ({
    line,
    receivedAt: v.parse(Received, JSON.parse(line)).received_at,
  }));
}

const hourMs = 3_600_000;

type Following = {
  readonly clock: Clock;
  /** Between two looks at the lake. */
  readonly everyMs: number;
};

/** The stored rows of a workspace as JSON text, then those that are stored from then on, without an end. */
export async function* followedLines(
  bucket: Bucket,
  workspace: string,
  { clock, everyMs }: Following,
): AsyncGenerator<string> {
  // Listed before it is printed: what is stored meanwhile is found by the first look after it.
  let printed = new Set<string>();
  for await (const line of storedLines(bucket, workspace, (object) => printed.add(storedObjectKey(object)))) yield line;
  for (;;) {
    // Rows lie under the hour of their receipt, and may be stored in the next one. They are compacted later than that.
    const recent = await objectsSince(bucket, workspace, new Date(clock.now().getTime() - 2 * hourMs));
    const fresh = recent.filter((object) => !printed.has(lakeObjectKey(object)));
    printed = new Set(recent.map(lakeObjectKey));
    const lines = await linesIn(bucket, fresh);
    if (lines === null) throw new Fault('listed_object_missing', 'a listed object is gone');
    yield* lines;
    await after(everyMs);
  }
}
