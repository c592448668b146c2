/** Reads each key at most once, also where askers overlap: each waits for what another has begun to read. */
export function onceEach<K>(
  isKnown: (key: K) => boolean,
  read: (keys: readonly K[]) => Promise<void>,
): (keys: Iterable<K>) => Promise<void> {
  const asked = new Map<K, Promise<void>>();
  return async (keys) => {
    const wanted = [...new Set(keys)];
    const fresh = wanted.filter((key) => !asked.has(key) && !isKnown(key));
    const reading = fresh.length > 0 ? read(fresh) : undefined;
    if (reading) for (const key of fresh) asked.set(key, reading);
    await Promise.all(new Set(wanted.map((key) => asked.get(key))));
  };
}
