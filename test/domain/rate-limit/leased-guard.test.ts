import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from '../../../shared/domain/base/token-bucket.ts';
import {
  type Horizon,
  type Lease,
  leasedGuard,
  leaseMs,
  type MoveHorizon,
} from '../../../shared/domain/rate-limit/leased-guard.ts';

/** One shared bucket, and how often it was requested. */
function sharedBucket() {
  let horizon: Horizon = 0;
  let moves = 0;
  const moveHorizon: MoveHorizon<string> = async (_, { now, by, upTo }) => {
    moves++;
    if (horizon > upTo) return { moved: false, horizon };
    horizon = Math.max(horizon, now) + by;
    return { moved: true, horizon };
  };
  return { moveHorizon, moves: () => moves };
}

const start = Date.UTC(2026, 0, 1);
const guardOf = (moveHorizon: MoveHorizon<string>) => leasedGuard({ moveHorizon, leases: new Map<string, Lease>() });

type Sent = { readonly at: number; readonly container: number; readonly tokens: number };
type Answered = Sent & { readonly wait: number | null };

/** What containers with their own clocks answer, one request after the other. */
async function answersOf(rate: Rate, skews: readonly number[], sent: readonly Sent[]) {
  const bucket = sharedBucket();
  const guards = skews.map(() => guardOf(bucket.moveHorizon));
  const answered: Answered[] = [];
  for (const one of sent) {
    const [guard, skew] = [guards[one.container], skews[one.container]];
    if (guard === undefined || skew === undefined) throw new Error('no such container');
    answered.push({ ...one, wait: await guard('key', () => start + one.at + skew, one.tokens, rate) });
  }
  return { answered, moves: bucket.moves() };
}

const tokensOf = (some: readonly Sent[]) => some.reduce((sum, { tokens }) => sum + tokens, 0);
const maxSkew = 400;

const traffic = fc
  .record({
    skews: fc.array(fc.integer({ min: -maxSkew, max: maxSkew }), { minLength: 1, maxLength: 12 }),
    rate: fc.record({ perSecond: fc.integer({ min: 2, max: 200 }), burst: fc.integer({ min: 5, max: 300 }) }),
    sent: fc.array(
      fc.record({ after: fc.nat({ max: 120 }), container: fc.nat(), tokens: fc.integer({ min: 1, max: 5 }) }),
      { minLength: 1, maxLength: 150 },
    ),
  })
  .map(({ skews, rate, sent }) => {
    let at = 0;
    const requests = sent.map(({ after, container, tokens }) => {
      at += after;
      return { at, container: container % skews.length, tokens };
    });
    return { skews, rate, sent: requests };
  });

describe('a rate over many containers', () => {
  it('says after how many seconds the tokens are there, however long that is', async () => {
    const rate = { perSecond: 1, burst: 2_000 };
    const ask = (at: number, tokens: number) => ({ at, container: 0, tokens });
    const { answered } = await answersOf(rate, [0], [ask(0, 2_000), ask(0, 1), ask(0, 1_500), ask(400, 1_500)]);
    expect(answered.map(({ wait }) => wait)).toEqual([null, 1, 1_500, 1_500]);
  });

  it('is never exceeded by more than a lease and what clocks differ, in any stretch of time (C-COLLECT-19, C-LIMIT-8)', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, async ({ skews, rate, sent }) => {
        const { answered } = await answersOf(rate, skews, sent);
        const admitted = answered.filter(({ wait }) => wait === null);
        for (const [first, { at: from }] of admitted.entries()) {
          let tokens = 0;
          for (const { at, tokens: more } of admitted.slice(first)) {
            tokens += more;
            const bound = rate.burst + (rate.perSecond * (at - from + leaseMs + 2 * maxSkew)) / 1_000;
            expect(tokens).toBeLessThanOrEqual(bound + 1e-6);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('returns the seconds until the tokens are available, if nobody takes them meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, async ({ rate, sent }) => {
        const guard = guardOf(sharedBucket().moveHorizon);
        for (const { at, tokens } of sent) {
          const wait = await guard('key', () => start + at, Math.min(tokens, rate.burst), rate);
          if (wait === null) continue;
          expect(wait).toBeGreaterThanOrEqual(1);
          expect(Number.isInteger(wait)).toBe(true);
          expect(await guard('key', () => start + at + wait * 1_000, Math.min(tokens, rate.burst), rate)).toBeNull();
          return;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('admits a batch larger than the burst if the bucket is full, which then owes it', async () => {
    const guard = guardOf(sharedBucket().moveHorizon);
    const rate = { perSecond: 10, burst: 20 };
    expect(await guard('key', () => start, 50, rate)).toBeNull();
    expect(await guard('key', () => start + 1_000, 1, rate)).toBe(3);
    expect(await guard('key', () => start + 3_200, 1, rate)).toBeNull();
  });
});

/** Requests of containers in step, this many a second each. */
const steady = (containers: number, perSecond: number, seconds: number): Sent[] =>
  Array.from({ length: containers * perSecond * seconds }, (_, n) => ({
    at: Math.floor((n * 1_000) / (containers * perSecond)),
    container: n % containers,
    tokens: 1,
  }));

describe('leases', () => {
  const rate = { perSecond: 400, burst: 400 };
  const skews = Array.from({ length: 20 }, (_, n) => (n % 5) * 60 - 120);

  it('starve nobody: what is less than the rate is admitted, by however many containers it comes', async () => {
    const { answered } = await answersOf(rate, skews, steady(20, 7, 30));
    expect(answered.filter(({ wait }) => wait !== null)).toEqual([]);
  });

  it('share a rate that all exceed: it is used, and each container has a part of it', async () => {
    const { answered } = await answersOf(rate, skews, steady(20, 60, 20));
    const admitted = answered.filter(({ wait }) => wait === null);
    expect(tokensOf(admitted)).toBeGreaterThan(0.9 * rate.perSecond * 20);
    const parts = skews.map((_, container) => tokensOf(admitted.filter((one) => one.container === container)));
    expect(Math.min(...parts)).toBeGreaterThan(0);
  });

  it('cost fewer writes the more requests one container gets, and none for refused ones', async () => {
    const writes = async (perSecond: number) => {
      const { moves } = await answersOf({ perSecond: 2_000, burst: 4_000 }, [0], steady(1, perSecond, 20));
      return (moves * 1_000) / (perSecond * 20);
    };
    expect(await writes(1_000)).toBeLessThan(10);
    expect(await writes(100)).toBeLessThan(40);
    expect(await writes(10)).toBeLessThan(250);
    const flood = await answersOf({ perSecond: 10, burst: 10 }, [0], steady(1, 1_000, 10));
    const admitted = flood.answered.filter(({ wait }) => wait === null).length;
    expect(flood.moves).toBeLessThan(2 * admitted + 20);
  });

  it('admits a fair request that waited for its turn, by the time at which it takes its tokens (C-LIMIT-8)', async () => {
    const bucket = sharedBucket();
    let now = start;
    const slow: MoveHorizon<string> = async (key, move) => {
      const found = await bucket.moveHorizon(key, move);
      now += 1_000;
      return found;
    };
    const guard = guardOf(slow);
    const rate = { perSecond: 10, burst: 10 };
    // The second, third and fourth came at once with the first, and each has waited a second more.
    const answers = await Promise.all(Array.from({ length: 4 }, () => guard('key', () => now, 10, rate)));
    expect(answers).toEqual([null, null, null, null]);
  });

  it('asks again for a bucket that others moved while it had what is needed', async () => {
    let refused = 2;
    const moved: MoveHorizon<string> = async (_, { now, by }) =>
      refused-- > 0 ? { moved: false, horizon: now } : { moved: true, horizon: now + by };
    expect(await guardOf(moved)('key', () => start, 5, { perSecond: 10, burst: 10 })).toBeNull();
  });

  it('are shared by requests that come at once', async () => {
    const bucket = sharedBucket();
    const guard = guardOf(bucket.moveHorizon);
    const few = { perSecond: 100, burst: 30 };
    const answers = await Promise.all(Array.from({ length: 100 }, () => guard('key', () => start, 1, few)));
    expect(answers.filter((wait) => wait === null)).toHaveLength(30);
    expect(bucket.moves()).toBeLessThan(12);
  });
});
