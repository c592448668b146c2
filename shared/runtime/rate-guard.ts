import { rateBuckets } from '../adapters/dynamodb/registry/rate-buckets.ts';
import type { Table } from '../adapters/dynamodb/requests/table.ts';
import { metricNames } from '../contract/metric-names.ts';
import { lruCache } from '../domain/base/caching.ts';
import { admit, type TokenBucket } from '../domain/base/token-bucket.ts';
import { type Lease, leasedGuard, type RateGuard } from '../domain/rate-limit/leased-guard.ts';
import { logger, metrics } from './logger.ts';
import { describeError } from './problem-reply.ts';

const maxKeys = 10_000;

/** A token bucket a key over all processes, and while the table cannot be reached one in this process. */
export function sharedRateGuard<Key extends string>(
  table: Table,
  keyOf: (key: Key) => Readonly<Record<string, string>>,
): RateGuard<Key> {
  const leases = lruCache<Key, Lease>(maxKeys);
  const moveHorizon = rateBuckets(table, keyOf, (key) => leases.get(key)?.horizon ?? 0);
  const shared = leasedGuard<Key>({ moveHorizon, leases });
  const own = ownRateGuard<Key>();
  return async (...args) => {
    try {
      return await shared(...args);
    } catch (error) {
      // Serve the request: without the store, the limit applies per process.
      metrics.addMetric(metricNames.rateNotShared, 'Count', 1);
      logger.warn('rate bucket out of reach', { error: describeError(error) });
      return own(...args);
    }
  };
}

/** A token bucket a key in this process. */
function ownRateGuard<Key extends string>(): RateGuard<Key> {
  const buckets = lruCache<Key, TokenBucket>(maxKeys);
  return async (key, now, tokens, rate) => {
    const admission = admit(rate, buckets.get(key), tokens, now);
    buckets.set(key, admission.bucket);
    return admission.admitted ? null : admission.retryAfterSeconds;
  };
}
