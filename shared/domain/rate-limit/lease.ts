import type { Rate } from '../base/token-bucket.ts';

/**
 * Where a shared bucket stands: the moment, in milliseconds, at which it will be full again. Taking tokens moves it on;
 * it may be moved beyond now by what fills the bucket, and never back.
 */
export type Horizon = number;

export type Move = {
  readonly now: number;
  /** Milliseconds: the time in which the tokens come back. */
  readonly by: number;
  /** The horizon up to which the move is allowed. */
  readonly upTo: Horizon;
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

export const noLease: Lease = { left: 0, until: 0, size: 0, horizon: 0 };

/** What is not used within it is lost, and taken by nobody else: a second late at most. */
export const leaseMs = 1_000;
/** So much of a second’s tokens at the most, so that one process leaves the others theirs. */
const share = 8;

const tokenMs = ({ perSecond }: Rate): number => 1_000 / perSecond;

/** The move that takes so many tokens; a request larger than the burst needs a full bucket, and leaves a debt. */
export const moveOf = (rate: Rate, tokens: number, now: number): Move => ({
  now,
  by: tokens * tokenMs(rate),
  upTo: now + (rate.burst - Math.min(tokens, rate.burst)) * tokenMs(rate),
});

/** Whether a horizon that was seen allows so many tokens. */
export const allows = (rate: Rate, { horizon }: Lease, tokens: number, now: number): boolean =>
  horizon <= moveOf(rate, tokens, now).upTo;

/** Whole seconds until so many tokens are there, at least 1. */
export const secondsUntil = (rate: Rate, horizon: Horizon, tokens: number, now: number): number =>
  Math.max(1, Math.ceil((horizon - moveOf(rate, tokens, now).upTo) / 1_000));

/** Tokens that are left of a lease that holds. */
export const leftOf = ({ left, until }: Lease, now: number): number => (now < until ? left : 0);

/**
 * How many tokens to take for a request that needs `tokens` more: twice as many as the last time where those were used
 * before their time was over, else as many as were of use, so that a process that has little to do takes little.
 */
export function leaseSize(rate: Rate, last: Lease, tokens: number, now: number): number {
  const expected = now < last.until ? 2 * last.size : last.size - last.left;
  return Math.max(tokens, Math.min(Math.floor(expected), Math.floor(rate.perSecond / share)));
}
