import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { beginningOf } from '../../../contract/ids.ts';
import { type CompactedObject, endOf, type LakeObject, type StoredObject } from '../../../contract/lake.ts';
import { sortedBy } from '../../base/collections.ts';
import { inParallel } from '../../base/concurrency.ts';
import { type EventLake, type EventLedger, finish } from '../store/store-batches.ts';
import { rowPacker } from './row-packer.ts';

const minuteMs = 60_000;

/** A run of the store lives for two minutes at most: one that began before has ended, or died. */
export const runLivesMs = 15 * minuteMs;

/** The delay before an hour is compacted, so that followers can read its objects. */
const followedMs = 120 * minuteMs + runLivesMs;

const requestsAtOnce = 8;

type Times = { readonly now: Date; readonly timeIsUp: () => boolean };

/**
 * Moves the rows of ended hours from the objects of their runs into few large ones. No reader misses a row or has one
 * twice, and a call may die at any step; one at a time runs, by a lease.
 *
 * 1. Runs that staged rows and died are settled: what was committed is published, the rest can never be. From here on
 *    no new run appears among those that began before.
 * 2. All rows of a partition from one run to a later one are written into one object, which is named by the two.
 *    Readers leave out the runs that it holds, also one that somebody publishes once more.
 * 3. The objects of these runs are removed.
 */
export async function compactLake(ports: CompactPorts, { now, timeIsUp }: Times) {
  const fence = now.getTime() - runLivesMs;
  const figures = { settled: await settleDeadRuns(ports, fence), runs: 0, objects: 0, failed: 0 };
  for await (const runs of partitionsOf(ports.lake.runObjects())) {
    if (timeIsUp()) break;
    const [{ partition }] = runs;
    if (endOf(partition) + followedMs > now.getTime()) continue;
    const moved = await compactPartition(ports, runs, { fence, timeIsUp }).catch((error: unknown) => {
      ports.onPartitionFailed(partition, error);
      return { runs: 0, objects: 0, failed: 1 };
    });
    figures.runs += moved.runs;
    figures.objects += moved.objects;
    figures.failed += moved.failed;
  }
  return figures;
}

const beganBefore = (fence: number, { runId }: LakeObject): boolean => (beginningOf(runId) ?? fence) < fence;

async function settleDeadRuns(ports: CompactPorts, fence: number): Promise<number> {
  let settled = 0;
  for await (const object of ports.lake.stagedObjects()) {
    if (!beganBefore(fence, object)) continue;
    const outcome = await ports.ledger.settleRun(object.runId, 'abandoned');
    await (outcome === 'committed' ? finish(ports.lake, object) : ports.lake.unstage(object));
    settled += 1;
  }
  return settled;
}

type Partition = readonly [LakeObject, ...LakeObject[]];

async function* partitionsOf(objects: AsyncIterable<LakeObject>): AsyncGenerator<Partition> {
  let found: [LakeObject, ...LakeObject[]] | null = null;
  for await (const object of objects) {
    if (found !== null && found[0].partition === object.partition) found.push(object);
    else {
      if (found !== null) yield found;
      found = [object];
    }
  }
  if (found !== null) yield found;
}

type Bounds = { readonly fence: number; readonly timeIsUp: () => boolean };

async function compactPartition({ lake }: CompactPorts, runs: Partition, { fence, timeIsUp }: Bounds) {
  const [{ partition }] = runs;
  const compacted = await lake.compactedIn(partition);
  const [held, others] = partitioned(runs, (run) => compacted.some((one) => holdsRun(one, run)));
  // Of a call that died before it had removed them, or published once more since.
  await inParallel(requestsAtOnce, held, lake.removeRun);
  const moved = { runs: 0, objects: 0, failed: 0 };
  const byAge = sortedBy(others, ({ runId }) => runId);
  for (let rest = byAge.filter((run) => beganBefore(fence, run)); rest.length > 0 && !timeIsUp(); ) {
    const { taken, bytes } = await packed(lake, rest);
    const [first, last] = [taken[0], taken.at(-1)];
    // A run that is gone was moved by somebody else.
    if (first === undefined || last === undefined) break;
    await lake.writeCompacted({ partition, first: first.runId, last: last.runId }, bytes);
    await inParallel(requestsAtOnce, taken, lake.removeRun);
    rest = rest.slice(taken.length);
    moved.runs += taken.length;
    moved.objects += 1;
  }
  return moved;
}

function partitioned<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  const sides: readonly [T[], T[]] = [[], []];
  for (const item of items) sides[isFirst(item) ? 0 : 1].push(item);
  return sides;
}

const unzip = promisify(gunzip);

/** The rows of the first runs, as many as an object holds; none if one of them is gone. */
async function packed({ readRun }: CompactPorts['lake'], runs: readonly LakeObject[]) {
  const packer = rowPacker();
  const used: LakeObject[] = [];
  while (used.length < runs.length && !packer.isFull()) {
    const next = runs.slice(used.length, used.length + requestsAtOnce);
    for (const [index, bytes] of (await inParallel(requestsAtOnce, next, readRun)).entries()) {
      const run = next[index];
      if (bytes === null || run === undefined) return { taken: [], bytes: await packer.end() };
      if (packer.isFull()) break;
      await packer.add(await unzip(bytes));
      used.push(run);
    }
  }
  return { taken: used, bytes: await packer.end() };
}

export type CompactedLake = {
  /** Objects that runs have staged but not published or abandoned. */
  readonly stagedObjects: () => AsyncIterable<LakeObject>;
  /** The objects of runs, those of a partition one after another. */
  readonly runObjects: () => AsyncIterable<LakeObject>;
  readonly compactedIn: (partition: string) => Promise<readonly CompactedObject[]>;
  /** Null where the object is gone. */
  readonly readRun: (object: LakeObject) => Promise<Uint8Array | null>;
  readonly removeRun: (object: LakeObject) => Promise<void>;
  /** Writes the object by one request: it is there as a whole or not at all. */
  readonly writeCompacted: (object: CompactedObject, bytes: Uint8Array) => Promise<void>;
};

export type CompactPorts = {
  readonly ledger: Pick<EventLedger, 'settleRun'>;
  readonly lake: CompactedLake & Pick<EventLake, 'staged' | 'publish' | 'unstage'>;
  /** A partition's failure keeps no other one from being compacted. */
  readonly onPartitionFailed: (partition: string, error: unknown) => void;
};

/** Whether a compacted object of the same partition holds the rows of a run. An id without a time is never compacted. */
const holdsRun = ({ first, last }: CompactedObject, { runId }: LakeObject): boolean =>
  beginningOf(runId) !== null && first <= runId && runId <= last;

/** Objects that together hold each row once. List the objects of runs before the compacted ones. */
export function currentObjects(objects: readonly StoredObject[]): readonly StoredObject[] {
  const partitions = Map.groupBy(objects, ({ partition }) => partition);
  return [...partitions.values()].flatMap((found) => {
    const compacted = widest(found.flatMap((one) => ('runId' in one ? [] : [one])));
    const runs = found.flatMap((one) => ('runId' in one ? [one] : []));
    return [...compacted, ...runs.filter((run) => !compacted.some((one) => holdsRun(one, run)))];
  });
}

function widest(objects: readonly CompactedObject[]): readonly CompactedObject[] {
  const remaining: CompactedObject[] = [];
  const byLast = objects.toSorted((a, b) => (a.last < b.last ? 1 : -1));
  for (const one of sortedBy(byLast, ({ first }) => first)) {
    const before = remaining.at(-1);
    if (before === undefined || one.last > before.last) remaining.push(one);
  }
  return remaining;
}
