import { setImmediate } from 'node:timers/promises';
import DataLoader from 'dataloader';

/**
 * Reads by keys once for all who ask before the read begins, which it does when the one before has ended: what each of
 * many deliveries asks for is read a few times, and no answer is older than its question.
 * @param readAll answers in the order of the keys
 * @param others waits for those who may ask for the same
 */
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

/** The same, each key by a read of its own. */
export const coalesced = <K, T>(read: (key: K) => Promise<T>, others?: () => Promise<void>): ((key: K) => Promise<T>) =>
  coalescedBatch((keys) => {
    const found = new Map([...new Set(keys)].map((key) => [key, read(key)]));
    return Promise.all(keys.map((key) => found.get(key) ?? read(key)));
  }, others);
