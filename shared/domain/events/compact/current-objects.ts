import type { CompactedObject, LakeObject, StoredObject } from '../../../contract/lake.ts';
import { beginningOf } from '../../../contract/run-id.ts';
import { sortedBy } from '../../sorted-by.ts';

/** Whether a compacted object of the same partition holds the rows of a run. An id without a time is never compacted. */
export const holdsRun = ({ first, last }: CompactedObject, { runId }: LakeObject): boolean =>
  beginningOf(runId) !== null && first <= runId && runId <= last;

/**
 * Those of some objects that hold each row once: none whose runs are among those of a compacted object of its
 * partition. The objects of runs must have been listed before the compacted ones.
 */
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
  const kept: CompactedObject[] = [];
  const byLast = objects.toSorted((a, b) => (a.last < b.last ? 1 : -1));
  for (const one of sortedBy(byLast, ({ first }) => first)) {
    const before = kept.at(-1);
    if (before === undefined || one.last > before.last) kept.push(one);
  }
  return kept;
}
