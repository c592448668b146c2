import { rateBuckets } from '../adapters/dynamodb/registry/rate-buckets.ts';
import type { Table } from '../adapters/dynamodb/requests/table.ts';
import { lruCache } from '../domain/base/caching.ts';
import { admit, type Rate, type TokenBucket } from '../domain/base/token-bucket.ts';
import { type Lease, leasedGuard, type RateGuard } from '../domain/rate-limit/leased-guard.ts';
import { onRateNotShared } from './report-failures.ts';

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
      onRateNotShared(error);
      return own(...args);
    }
  };
}

/** A bucket that is full only later was charged before the clock was set back. */
const longestDebtMs = 3_600_000;

export type UnitGuard<Key> = {
  /** Seconds to wait if a bucket is empty, as this process saw it last; else null. */
  readonly wait: (keys: readonly Key[], now: number) => number | null;
  /** Takes units from the buckets, even if they are empty. */
  readonly charge: (keys: readonly Key[], units: number, now: number) => Promise<void>;
};

/** Known only after the work: processes learn the state when they charge, so requests under way can exceed it. */
export function sharedUnitGuard<Key extends { readonly rate: Rate }>(
  table: Table,
  keyOf: (key: Key) => { readonly pk: string; readonly sk: string },
): UnitGuard<Key> {
  const seen = lruCache<string, number>(maxKeys);
  const nameOf = (key: Key) => Object.values(keyOf(key)).join(' ');
  const moveHorizon = rateBuckets<Key>(table, keyOf, (key) => seen.get(nameOf(key)) ?? 0);
  const charge = async (key: Key, units: number, now: number): Promise<void> => {
    const by = (units * 1_000) / key.rate.perSecond;
    const farthest = now + longestDebtMs;
    const { horizon } = await moveHorizon(key, { now, by, upTo: farthest, farthest });
    seen.set(nameOf(key), horizon);
  };
  return {
    wait: (keys, now) => {
      const waits = keys.map((key) => {
        const full = (seen.get(nameOf(key)) ?? 0) - now;
        return full > longestDebtMs ? 0 : full - (key.rate.burst * 1_000) / key.rate.perSecond;
      });
      const longest = Math.max(...waits);
      return longest <= 0 ? null : Math.ceil(longest / 1_000);
    },
    charge: async (keys, units, now) => {
      const all = await Promise.allSettled(keys.map((key) => charge(key, units, now)));
      // The answer stays: a bucket that is not charged lets somebody read more than is theirs.
      for (const one of all) if (one.status === 'rejected') onRateNotShared(one.reason);
    },
  };
}

/** A token bucket a key in this process. */
function ownRateGuard<Key extends string>(): RateGuard<Key> {
  const buckets = lruCache<Key, TokenBucket>(maxKeys);
  return async (key, now, tokens, rate) => {
    const admission = admit(rate, buckets.get(key), tokens, now());
    buckets.set(key, admission.bucket);
    return admission.admitted ? null : admission.retryAfterSeconds;
  };
}
