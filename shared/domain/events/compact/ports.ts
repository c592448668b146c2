import { beginningOf } from '../../../contract/ids.ts';
import type { CompactedObject, LakeObject, StoredObject } from '../../../contract/lake.ts';
import { sortedBy } from '../../base/collections.ts';
import type { EventLake, EventLedger } from '../store/ports.ts';

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

/** Held while stored rows are moved or removed. */
export type LakeLease = {
  /** False where somebody else holds it; who holds it takes it for longer. */
  readonly take: (now: Date) => Promise<boolean>;
  readonly release: () => Promise<void>;
};

export type CompactPorts = {
  readonly ledger: Pick<EventLedger, 'settleRun'>;
  readonly lake: CompactedLake & Pick<EventLake, 'staged' | 'publish' | 'unstage'>;
  /** A partition's failure keeps no other one from being compacted. */
  readonly onPartitionFailed: (partition: string, error: unknown) => void;
};

/** Whether a compacted object of the same partition holds the rows of a run. An id without a time is never compacted. */
export const holdsRun = ({ first, last }: CompactedObject, { runId }: LakeObject): boolean =>
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

/** Those that lie within no other. */
function widest(objects: readonly CompactedObject[]): readonly CompactedObject[] {
  const remaining: CompactedObject[] = [];
  const byLast = objects.toSorted((a, b) => (a.last < b.last ? 1 : -1));
  for (const one of sortedBy(byLast, ({ first }) => first)) {
    const before = remaining.at(-1);
    if (before === undefined || one.last > before.last) remaining.push(one);
  }
  return remaining;
}
