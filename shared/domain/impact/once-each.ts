/**
 * Reads each key at most once, also where askers overlap: who asks at one moment is read for together, and each waits
 * for what another has begun to read.
 */
export function onceEach<K>(
  isKnown: (key: K) => boolean,
  read: (keys: readonly K[]) => Promise<void>,
): (keys: Iterable<K>) => Promise<void> {
  const asked = new Map<K, Promise<void>>();
  let next: { readonly keys: K[]; readonly reading: Promise<void> } | null = null;
  const begin = () => {
    const keys: K[] = [];
    const reading = Promise.resolve().then(() => {
      next = null;
      return read(keys);
    });
    return { keys, reading };
  };
  return async (keys) => {
    const wanted = new Set(keys);
    for (const key of wanted) {
      if (asked.has(key) || isKnown(key)) continue;
      next ??= begin();
      next.keys.push(key);
      asked.set(key, next.reading);
    }
    await Promise.all(new Set([...wanted].map((key) => asked.get(key))));
  };
}
