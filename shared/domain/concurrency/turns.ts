/** Runs work when its turn comes. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Turns of two ranks: `last` has one only while nothing waits for `first`. */
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
