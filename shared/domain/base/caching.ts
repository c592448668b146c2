import { LRUCache } from 'lru-cache';

/**
 * A pure function of a text that remembers at least the last `entries` results it gave, and at most twice as many. There
 * are two generations and no order of use: to keep that costs more than to look a result up.
 */
export function memoised<Text extends string, Result extends {}>(
  entries: number,
  compute: (text: Text) => Result,
): (text: Text) => Result {
  let [recent, older] = [new Map<Text, Result>(), new Map<Text, Result>()];
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const result = older.get(text) ?? compute(text);
    if (recent.size >= entries) [recent, older] = [new Map(), recent];
    recent.set(text, result);
    return result;
  };
}

/**
 * A cache that forgets what was used least recently beyond a number of entries.
 * It grows as it fills: with `max` alone the library allocates every entry at once, milliseconds of each cold start.
 */
export const lruCache = <Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> =>
  new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1 });

/** What `make` gives, made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: make() };
    return built.value;
  };
}

/** The same, but that it is made again after it failed. */
export function onceSuccessful<T>(make: () => Promise<T>): () => Promise<T> {
  let built: Promise<T> | null = null;
  return () => {
    built ??= make().catch((error) => {
      built = null;
      throw error;
    });
    return built;
  };
}

/** Steps that are left for some work over input, so that what is small costs little. */
export type Budget = { left: number };

/** Some input asked for more steps than its work may take. */
export class BudgetExceeded extends Error {}

/** Takes this many steps; throws `BudgetExceeded` where they are not left. */
export type Spend = (steps: number) => void;

/** Takes steps from each of the budgets; throws `BudgetExceeded` where one has none left. */
export const spendFrom =
  (budgets: readonly Budget[]): Spend =>
  (steps) => {
    for (const budget of budgets) {
      budget.left -= steps;
      if (budget.left < 0) throw new BudgetExceeded();
    }
  };
