import { LRUCache } from 'lru-cache';

/** Remembers 1 to 2 times `entries` results in two generations: an order of use costs more than a look-up. */
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
 * Grows as it fills: with `max` alone the library allocates all entries at once, milliseconds of each cold start.
 * @param sizeOf what a value counts toward `maxSize`, at least 1 (default: 1, so that `maxSize` is the number of entries)
 */
export const lruCache = <Key extends {}, Value extends {}>(
  maxSize: number,
  sizeOf: (value: Value) => number = () => 1,
): LRUCache<Key, Value> => new LRUCache<Key, Value>({ maxSize, sizeCalculation: sizeOf });

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
