import { setTimeout as delay } from 'node:timers/promises';
import { lruCache } from '../domain/lru-cache.ts';

type Queue<T> = {
  waiting: T[];
  /** The write that takes what waits now, where one is due already. */
  next: Promise<void> | null;
  writing: Promise<void>;
};

export type MergedWrites<T> = (key: string, value: T, write: (merged: T) => Promise<void>) => Promise<void>;

/**
 * Writes of one key follow each other, `pauseMs` apart, and what comes meanwhile is merged into the next: what many
 * deliveries change costs a few writes a second and not one a delivery. Who waits sees the failure of his write.
 */
export function mergedWrites<T>(merge: (earlier: T, later: T) => T, pauseMs: number): MergedWrites<T> {
  const paused = pauseMs === 0 ? async () => undefined : () => delay(pauseMs);
  const queues = lruCache<string, Queue<T>>(10_000);
  return (key, value, write) => {
    const queue = queues.get(key) ?? { waiting: [], next: null, writing: Promise.resolve() };
    queues.set(key, queue);
    queue.waiting.push(value);
    queue.next ??= queue.writing.then(() => {
      const writing = write(queue.waiting.splice(0).reduce(merge));
      queue.next = null;
      // The next one only waits for its end.
      queue.writing = Promise.all([writing.catch(() => undefined), paused()]).then(() => undefined);
      return writing;
    });
    return queue.next;
  };
}
