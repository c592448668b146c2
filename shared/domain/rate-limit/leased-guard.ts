import type { Rate } from '../base/token-bucket.ts';
import {
  allows,
  type Lease,
  leaseMs,
  leaseSize,
  leftOf,
  type MoveHorizon,
  moveOf,
  noLease,
  secondsUntil,
} from './lease.ts';

/** Takes tokens from a bucket; the seconds to wait where they are not there, else null. */
export type RateGuard<Key> = (key: Key, now: number, tokens: number, rate: Rate) => Promise<number | null>;

type LeasePorts<Key> = {
  readonly moveHorizon: MoveHorizon<Key>;
  /** This process’s leases; one that is forgotten costs what is left of it. */
  readonly leases: { readonly get: (key: Key) => Lease | undefined; readonly set: (key: Key, lease: Lease) => unknown };
};

/**
 * Holds all processes together to one rate: each takes tokens from the shared bucket ahead of its requests, by one
 * write for many of them. Within any time t the requests of all take at most
 * `burst + perSecond × (t + leaseMs + the most that two clocks differ)`. What is refused costs no write as long as the
 * bucket that was last seen cannot have filled. Fails where the bucket cannot be reached.
 */
export function leasedGuard<Key>({ moveHorizon, leases }: LeasePorts<Key>): RateGuard<Key> {
  const take: RateGuard<Key> = async (key, now, tokens, rate) => {
    const lease = leases.get(key) ?? noLease;
    const left = leftOf(lease, now);
    if (left >= tokens) {
      leases.set(key, { ...lease, left: left - tokens });
      return null;
    }
    const needed = tokens - left;
    if (!allows(rate, lease, needed, now)) return secondsUntil(rate, lease.horizon, needed, now);
    const taken = await takeAhead(key, { rate, lease, needed, now });
    if (typeof taken === 'object') leases.set(key, { ...taken, left: left + taken.size - tokens });
    return typeof taken === 'object' ? null : taken;
  };

  /** As many as the process may need soon, or where the bucket has not so many, those that it needs now. */
  async function takeAhead(key: Key, asked: { rate: Rate; lease: Lease; needed: number; now: number }) {
    const { rate, lease, needed, now } = asked;
    for (const size of new Set([leaseSize(rate, lease, needed, now), needed])) {
      const { moved, horizon } = await moveHorizon(key, moveOf(rate, size, now));
      if (moved) return { left: 0, until: now + leaseMs, size, horizon };
      leases.set(key, { ...lease, left: leftOf(lease, now), horizon });
      if (!allows(rate, { ...lease, horizon }, needed, now)) return secondsUntil(rate, horizon, needed, now);
    }
    return 1;
  }

  return inTurn(take);
}

/** Requests of one key that come at once share a lease: one after the other, each looks at what the one before took. */
function inTurn<Key>(take: RateGuard<Key>): RateGuard<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return async (key, ...asked) => {
    const before = last.get(key);
    const turn = (before ?? Promise.resolve()).then(
      () => take(key, ...asked),
      () => take(key, ...asked),
    );
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
