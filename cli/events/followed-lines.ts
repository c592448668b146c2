import { setTimeout as after } from 'node:timers/promises';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { objectsSince } from '../../shared/adapters/s3/stored-events.ts';
import { Fault } from '../../shared/contract/fault.ts';
import { lakeObjectKey, storedObjectKey } from '../../shared/contract/lake.ts';
import type { Clock } from '../../shared/domain/time/clock.ts';
import { linesIn, storedLines } from './stored-lines.ts';

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
    printed = new Set([...recent.map(lakeObjectKey)]);
    const lines = await linesIn(bucket, fresh);
    if (lines === null) throw new Fault('listed_object_missing', 'a listed object is gone');
    yield* lines;
    await after(everyMs);
  }
}
