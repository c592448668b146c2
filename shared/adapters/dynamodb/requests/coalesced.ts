import { setImmediate } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { mergedRuns } from '../../../domain/base/concurrency.ts';

/** Reads once for all who ask before the read begins, after the previous one: no answer is older than its question. */
export function coalescedBatch<K, T>(readAll: (keys: readonly K[]) => Promise<readonly T[]>): (key: K) => Promise<T> {
  let reading: Promise<unknown> = Promise.resolve();
  const answers = new DataLoader<K, T>(
    (keys) => {
      const answered = readAll(keys);
      reading = answered.catch(() => undefined);
      return answered;
    },
    { cache: false, batchScheduleFn: (dispatch) => void reading.then(() => setImmediate()).then(dispatch) },
  );
  return (key) => answers.load(key);
}

/** The same, each key by its own read. */
export function coalesced<K extends string, T>(
  read: (key: K) => Promise<T>,
  others: () => Promise<void> = setImmediate,
): (key: K) => Promise<T> {
  const reads = mergedRuns<void, T>(() => undefined, { begin: (run) => others().then(run) });
  return (key) => reads(key, undefined, () => read(key));
}
