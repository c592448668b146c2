/** Lets work of one key run alone, first come, first served; work of different keys runs concurrently. */
export type KeyedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A lock by key within this process. */
export function keyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const running = (last.get(key) ?? Promise.resolve()).then(work);
    // Those that follow wait for its end, whatever becomes of it.
    const ended = running.catch(() => undefined);
    last.set(key, ended);
    try {
      return await running;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
