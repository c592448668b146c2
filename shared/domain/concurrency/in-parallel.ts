import pMap from 'p-map';

/**
 * Runs `work` over the items with at most `limit` under way; answers in the items' order. Fails with the first
 * failure, and begins no more work after it.
 */
export const inParallel = <T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> => pMap(items, work, { concurrency: limit }) as Promise<R[]>;
