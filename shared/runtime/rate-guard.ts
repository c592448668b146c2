import { LRUCache } from 'lru-cache';
import { admit, type Rate, type TokenBucket } from '../domain/events/receive/rate-guard.ts';

const maxTokenBuckets = 10_000;

/** A token bucket a key in this process; answers the seconds to wait where the bucket is empty, else null. */
export function rateGuard<Key extends string>(
  rate: Rate,
): (key: Key, now: number, cost?: number, own?: Rate | null) => number | null {
  const buckets = new LRUCache<Key, TokenBucket>({ max: maxTokenBuckets });
  return (key, now, cost = 1, own = null) => {
    const admission = admit(own ?? rate, buckets.get(key), cost, now);
    buckets.set(key, admission.bucket);
    return admission.admitted ? null : admission.retryAfterSeconds;
  };
}
