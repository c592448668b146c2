import { limits } from '../../contract/limits.ts';
import type { Rate } from '../base/token-bucket.ts';

/**
 * Takes tokens from a bucket; the seconds to wait where they are not there, else null. The clock is read when they are
 * taken: a request may have waited, and what has refilled since is its own too.
 */
export type RateGuard<Key> = (key: Key, now: () => number, tokens: number, rate: Rate) => Promise<number | null>;

/**
 * Holds all processes together to one rate: each takes tokens from the shared bucket ahead of its requests, by one
 * write for many of them. Within any time t the requests of all take at most
 * `burst + perSecond × (t + leaseMs + the most that two clocks differ)`. What is refused costs no write as long as the
 * bucket that was last seen cannot have filled. Fails where the bucket cannot be reached.
 */
export function leasedGuard<Key>({
  moveHorizon,
  leases,
}: {
  readonly moveHorizon: MoveHorizon<Key>;
  /** This process’s leases; one that is forgotten costs what is left of it. */
  readonly leases: { readonly get: (key: Key) => Lease | undefined; readonly set: (key: Key, lease: Lease) => unknown };
}): RateGuard<Key> {
  const take: RateGuard<Key> = async (key, clock, tokens, rate) => {
    const now = clock();
    const lease = leases.get(key) ?? noLease;
    const left = remainingTokens(lease, now);
    if (left >= tokens) {
      leases.set(key, { ...lease, left: left - tokens });
      return null;
    }
    const needed = tokens - left;
    if (!allows(rate, lease, needed, now)) return secondsUntil(rate, lease.horizon, needed, now);
    const used = await takeAhead(key, { rate, lease, needed, clock });
    if (typeof used === 'object') leases.set(key, { ...used, left: left + used.size - tokens });
    return typeof used === 'object' ? null : used;
  };

  /** As many as the process may need soon, or where the bucket has not this many, those that it needs now. */
  async function takeAhead(key: Key, demand: { rate: Rate; lease: Lease; needed: number; clock: () => number }) {
    const { rate, lease, needed, clock } = demand;
    // What others moved meanwhile is asked for again, as long as the bucket has what is needed.
    for (const size of [leaseSize(rate, lease, needed, clock()), needed, needed, needed]) {
      const now = clock();
      const { moved, horizon } = await moveHorizon(key, moveOf(rate, size, now));
      if (moved) return { left: 0, until: now + leaseMs, size, horizon };
      leases.set(key, { ...lease, left: remainingTokens(lease, now), horizon });
      if (!allows(rate, { ...lease, horizon }, needed, now)) return secondsUntil(rate, horizon, needed, now);
    }
    return 1;
  }

  return inTurn(take);
}

/** Requests of one key that come at once share a lease: one after the other, each looks at what the one before took. */
function inTurn<Key>(take: RateGuard<Key>): RateGuard<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return async (key, ...demand) => {
    const before = last.get(key);
    const turn = (before ?? Promise.resolve()).then(
      () => take(key, ...demand),
      () => take(key, ...demand),
    );
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}

/** When a shared bucket will be full again, in milliseconds. Only a full bucket may be moved beyond now. */
export type Horizon = number;

export type Move = {
  readonly now: number;
  /** The refill time of the tokens, in milliseconds. */
  readonly by: number;
  readonly upTo: Horizon;
  /** A horizon beyond it was written before the clock was set back: the bucket counts as full. */
  readonly farthest: Horizon;
};

/** Moves a bucket's horizon in one step: whether it was allowed, and where the horizon is then. */
export type MoveHorizon<Key> = (
  key: Key,
  move: Move,
) => Promise<{ readonly moved: boolean; readonly horizon: Horizon }>;

/** Tokens that a process has taken from the shared bucket ahead of its requests. */
export type Lease = {
  readonly left: number;
  readonly until: number;
  /** Tokens that were taken, to see how many were of use. */
  readonly size: number;
  /** As it was last seen: others may have moved it on since. */
  readonly horizon: Horizon;
};

const noLease: Lease = { left: 0, until: 0, size: 0, horizon: 0 };

/** What is not used within it is lost, and taken by nobody else: a second late at most. */
export const leaseMs = 1_000;
/** So much of a second’s tokens at the most, so that one process leaves the others theirs. */
const share = 8;

const tokenMs = ({ perSecond }: Rate): number => 1_000 / perSecond;

/** The move that takes this many tokens; a request larger than the burst needs a full bucket, and leaves a debt. */
export const moveOf = (rate: Rate, tokens: number, now: number): Move => ({
  now,
  by: tokens * tokenMs(rate),
  upTo: now + (rate.burst - Math.min(tokens, rate.burst)) * tokenMs(rate),
  farthest: now + (2 * rate.burst + largestDebt) * tokenMs(rate) + clocksDifferMs,
});

/** Tokens of the largest request, which leaves a debt, and the most that the clocks of two processes differ. */
const [largestDebt, clocksDifferMs] = [limits.collection.events.max, 60_000];

/** Whether a horizon that was seen allows this many tokens. */
function allows(rate: Rate, { horizon }: Lease, tokens: number, now: number): boolean {
  const { upTo, farthest } = moveOf(rate, tokens, now);
  return horizon <= upTo || horizon > farthest;
}

/** Whole seconds until this many tokens are there, at least 1. */
const secondsUntil = (rate: Rate, horizon: Horizon, tokens: number, now: number): number =>
  Math.max(1, Math.ceil((horizon - moveOf(rate, tokens, now).upTo) / 1_000));

const remainingTokens = ({ left, until }: Lease, now: number): number => (now < until ? left : 0);

/** Twice the last lease if it was used up in time, else as many as were of use, so that idle processes take little. */
function leaseSize(rate: Rate, last: Lease, tokens: number, now: number): number {
  const expected = now < last.until ? 2 * last.size : last.size - last.left;
  return Math.max(tokens, Math.min(Math.floor(expected), Math.floor(rate.perSecond / share)));
}
