import DataLoader from 'dataloader';

/**
 * Reads each key at most once, also where callers overlap: keys that are asked for in one tick are read together, and
 * a caller waits for what another has begun to read.
 */
export function loadOnce<K>(
  isKnown: (key: K) => boolean,
  read: (keys: readonly K[]) => Promise<void>,
): (keys: Iterable<K>) => Promise<void> {
  const loader = new DataLoader<K, true>(async (keys) => {
    await read(keys);
    return keys.map(() => true);
  });
  return async (keys) => {
    await Promise.all([...new Set(keys)].filter((key) => !isKnown(key)).map((key) => loader.load(key)));
  };
}
