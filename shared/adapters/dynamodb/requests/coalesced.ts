import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { lruCache } from '../../../domain/base/caching.ts';

/** Reads once for all who ask before the read begins, after the previous one: no answer is older than its question. */
export function coalescedBatch<K, T>(
  readAll: (keys: readonly K[]) => Promise<readonly T[]>,
  others: () => Promise<void> = setImmediate,
): (key: K) => Promise<T> {
  let reading: Promise<unknown> = Promise.resolve();
  const answers = new DataLoader<K, T>(
    (keys) => {
      const answered = readAll(keys);
      reading = answered.catch(() => undefined);
      return answered;
    },
    { cache: false, batchScheduleFn: (dispatch) => void reading.then(others).then(dispatch) },
  );
  return (key) => answers.load(key);
}

/** The same, each key by its own read. */
export const coalesced = <K, T>(read: (key: K) => Promise<T>, others?: () => Promise<void>): ((key: K) => Promise<T>) =>
  coalescedBatch((keys) => {
    const found = new Map([...new Set(keys)].map((key) => [key, read(key)]));
    return Promise.all(keys.map((key) => found.get(key) ?? read(key)));
  }, others);

type Queue<T> = {
  waiting: T[];
  /** The write that takes what waits now, if one is due already. */
  next: Promise<void> | null;
  writing: Promise<void>;
};

export type MergedWrites<T> = (key: string, value: T, write: (merged: T) => Promise<void>) => Promise<void>;

/** Begins a write when it may begin. */
type Begin = (write: () => Promise<void>) => Promise<void>;

/** Writes of one key are `pauseMs` apart, and merge what comes before they begin. Callers see their write fail. */
export function mergedWrites<T>(
  merge: (values: readonly T[]) => T,
  { pauseMs = 0, begin = (write) => write() }: { readonly pauseMs?: number; readonly begin?: Begin } = {},
): MergedWrites<T> {
  const paused = pauseMs === 0 ? async () => undefined : () => delay(pauseMs);
  const queues = lruCache<string, Queue<T>>(10_000);
  return (key, value, write) => {
    const queue = queues.get(key) ?? { waiting: [], next: null, writing: Promise.resolve() };
    queues.set(key, queue);
    queue.waiting.push(value);
    queue.next ??= queue.writing.then(() =>
      begin(() => {
        const writing = write(merge(queue.waiting.splice(0)));
        queue.next = null;
        // The next one only waits for its end.
        queue.writing = Promise.all([writing.catch(() => undefined), paused()]).then(() => undefined);
        return writing;
      }),
    );
    return queue.next;
  };
}
