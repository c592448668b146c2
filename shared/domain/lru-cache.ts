import { LRUCache } from 'lru-cache';

/**
 * A cache that forgets what was used least recently beyond a number of entries.
 * It grows as it fills: with `max` alone the library allocates every entry at once, milliseconds of each cold start.
 */
export const lruCache = <Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> =>
  new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1 });
