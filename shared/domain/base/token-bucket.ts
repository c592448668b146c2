/** In events or requests: `perSecond` refill, at most `burst` saved up. */
export type Rate = { readonly perSecond: number; readonly burst: number };

/** What is left at a moment; below zero after a batch larger than what was saved. */
export type TokenBucket = { readonly tokens: number; readonly at: number };

type Admission =
  | { readonly admitted: true; readonly bucket: TokenBucket }
  | { readonly admitted: false; readonly bucket: TokenBucket; readonly retryAfterSeconds: number };

/** Takes `cost` tokens. A batch larger than the burst passes a full bucket and leaves a debt, or it never could. */
export function admit(rate: Rate, bucket: TokenBucket | undefined, cost: number, now: number): Admission {
  const tokens = refilled(rate, bucket, now);
  const needed = Math.min(cost, rate.burst);
  if (tokens >= needed) return { admitted: true, bucket: { tokens: tokens - cost, at: now } };
  const retryAfterSeconds = Math.max(1, Math.ceil((needed - tokens) / rate.perSecond));
  return { admitted: false, bucket: { tokens, at: now }, retryAfterSeconds };
}

function refilled(rate: Rate, bucket: TokenBucket | undefined, now: number): number {
  if (bucket === undefined) return rate.burst;
  // A clock set back refills nothing.
  const elapsed = Math.max(0, now - bucket.at);
  return Math.min(rate.burst, bucket.tokens + (elapsed / 1000) * rate.perSecond);
}
