import pMap from 'p-map';

/** Runs at most `limit` at a time; results are in the items' order. Begins no more after the first failure. */
export const inParallel = <T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> => pMap(items, work, { concurrency: limit }) as Promise<R[]>;

/** Whether a message was sent: one that was not is for who sends it again. */
export async function isSent(send: () => Promise<void>, onFailed: (error: unknown) => void): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    onFailed(error);
    return false;
  }
}

/** `Array.fromAsync`, which the lowest Node that is supported does not have. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Works on up to `ahead` items before the awaited one, in their order. Memory is bounded: only readers start more. */
export async function* readAhead<T, R>(
  ahead: number,
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // The consumer sees a failure in its turn. Until then nobody awaits it.
    result.catch(() => undefined);
    underWay.push(result);
    if (underWay.length > ahead) yield (await underWay.shift()) as R;
  }
  for (const result of underWay) yield await result;
}

export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

export type Turns = { readonly first: Turn; readonly last: Turn };

/** Runs at most `limit` pieces of work at once, each rank in the order of its asking. */
export function turns(limit: number): Turns {
  const waiting: Record<keyof Turns, (() => void)[]> = { first: [], last: [] };
  let running = 0;
  const turnOf =
    (rank: keyof Turns): Turn =>
    async (work) => {
      if (running === limit) await new Promise<void>((admit) => waiting[rank].push(admit));
      else running++;
      try {
        return await work();
      } finally {
        // A place is handed on, so that nobody comes between.
        const next = waiting.first.shift() ?? waiting.last.shift();
        if (next) next();
        else running--;
      }
    };
  return { first: turnOf('first'), last: turnOf('last') };
}

export type MergedRuns<T, R> = (key: string, value: T, work: (merged: T) => Promise<R>) => Promise<R>;

type Waits<R> = {
  /** Begins a run when it may begin. */
  readonly begin?: (run: () => Promise<R>) => Promise<R>;
  /** The least time from one run of a key to its next. */
  readonly pause?: () => Promise<void>;
};

type Queue<T, R> = { waiting: T[]; next: Promise<R> | null; running: Promise<void> };

/**
 * Runs the work of a key one after the other. Callers that come before a run begins share it, and their values are
 * merged: no result is older than its request.
 */
export function mergedRuns<T, R>(
  merge: (values: readonly T[]) => T,
  { begin = (run) => run(), pause = async () => undefined }: Waits<R> = {},
): MergedRuns<T, R> {
  const queues = new Map<string, Queue<T, R>>();
  return (key, value, work) => {
    const queue = queues.get(key) ?? { waiting: [], next: null, running: Promise.resolve() };
    queues.set(key, queue);
    queue.waiting.push(value);
    queue.next ??= queue.running.then(() =>
      begin(() => {
        const result = work(merge(queue.waiting.splice(0)));
        queue.next = null;
        // The next run only waits for the end.
        queue.running = Promise.allSettled([result, pause()]).then(() => void (queue.next ?? queues.delete(key)));
        return result;
      }),
    );
    return queue.next;
  };
}

/** What one process holds at a time. */
export type Lease = {
  /** False if another process holds it. The holder takes it for longer. */
  readonly take: (now: Date) => Promise<boolean>;
  readonly release: () => Promise<unknown>;
};

/** Runs work concurrently with other work, or exclusively. */
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
