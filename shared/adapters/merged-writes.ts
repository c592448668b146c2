import { setTimeout as delay } from 'node:timers/promises';
import { lruCache } from '../domain/lru-cache.ts';

type Queue<T> = {
  waiting: T[];
  /** The write that takes what waits now, where one is due already. */
  next: Promise<void> | null;
  writing: Promise<void>;
};

export type MergedWrites<T> = (key: string, value: T, write: (merged: T) => Promise<void>) => Promise<void>;

/** Begins a write when it may begin. */
type Begin = (write: () => Promise<void>) => Promise<void>;

/**
 * Writes of one key follow each other, `pauseMs` apart, and what comes before one has begun is merged into it: what many
 * deliveries change costs a few writes a second and not one a delivery. Who waits sees the failure of his write.
 */
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
