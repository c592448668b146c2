/** Lets work run concurrently with other work, or alone: while it runs alone nothing else does. */
export type ReadWriteLock = {
  readonly shared: <T>(work: () => Promise<T>) => Promise<T>;
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
};

type Mode = keyof ReadWriteLock;
type Waiting = { readonly mode: Mode; readonly admit: () => void };

/** A readers–writer lock within this process. First come, first served: neither kind of work starves the other. */
export function readWriteLock(): ReadWriteLock {
  const waiting: Waiting[] = [];
  let running = 0;
  let isExclusive = false;

  const isAdmissible = ({ mode }: Waiting): boolean => (mode === 'exclusive' ? running === 0 : !isExclusive);
  const admitNext = (): void => {
    for (let [next] = waiting; next !== undefined && isAdmissible(next); [next] = waiting) {
      waiting.shift();
      running++;
      isExclusive = next.mode === 'exclusive';
      next.admit();
    }
  };
  const run = async <T>(mode: Mode, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((admit) => {
      waiting.push({ mode, admit });
      admitNext();
    });
    try {
      return await work();
    } finally {
      running--;
      isExclusive = false;
      admitNext();
    }
  };
  return { shared: (work) => run('shared', work), exclusive: (work) => run('exclusive', work) };
}
