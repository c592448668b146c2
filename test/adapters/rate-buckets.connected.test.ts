import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import { projectKeyRateKey, workspaceRateKey } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { rateBuckets } from '../../shared/adapters/dynamodb/registry/rate-buckets.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { moveOf } from '../../shared/domain/rate-limit/leased-guard.ts';
import { sharedRateGuard } from '../../shared/runtime/rate-guard.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const ledger = () => ({ client: stores.client, name: stores.environment.EVENT_TABLE_NAME });
const main = () => ({ client: stores.client, name: stores.environment.TABLE_NAME });
const rate = { perSecond: 100, burst: 200 };
const start = Date.now();

describe('a bucket in the table', () => {
  it.each([
    ['unknown', () => 0],
    ['thought to be ahead of where it is', () => start + 60_000],
  ])('advances by the tokens taken, and no further than the burst, if it was %s', async (_, seen) => {
    const key = randomUUID();
    const move = rateBuckets(ledger(), projectKeyRateKey, seen);
    const take = (tokens: number, now: number) => move(key, moveOf(rate, tokens, now));
    expect(await take(150, start)).toMatchObject({ moved: true });
    expect(await take(50, start)).toMatchObject({ moved: true });
    expect(await take(1, start)).toEqual({ moved: false, horizon: start + 2_000 });
    expect(await take(100, start + 1_000)).toMatchObject({ moved: true });
    expect(await take(1, start + 1_000)).toMatchObject({ moved: false });
    // Full again, however long ago that was: no more than the burst is saved up.
    expect(await take(200, start + 60_000)).toMatchObject({ moved: true });
    expect(await take(1, start + 60_000)).toEqual({ moved: false, horizon: start + 62_000 });
  });

  it('is full again if the clock is set back, also for who saw it before (C-LIMIT-8)', async () => {
    const [key, day] = [randomUUID(), 86_400_000];
    const guards = [1, 2].map(() => sharedRateGuard<string>(ledger(), projectKeyRateKey));
    for (const guard of guards) expect(await guard(key, () => start + day, 10, rate)).toBeNull();
    for (const guard of guards) expect(await guard(key, () => start, 100, rate)).toBeNull();
    expect(await guards[0]?.(key, () => start, 100, rate)).toBe(1);
  });

  it('is one bucket for all that take at once', async () => {
    const key = randomUUID();
    const takes = Array.from({ length: 60 }, () =>
      rateBuckets(ledger(), projectKeyRateKey, () => 0)(key, moveOf(rate, 5, start)),
    );
    expect((await Promise.all(takes)).filter(({ moved }) => moved)).toHaveLength(40);
  });
});

describe('the guard of requests', () => {
  it('limits all processes together to one rate, with one write unit for many requests', async () => {
    const units = countUnits(stores.client);
    const key = randomUUID() as WorkspaceId;
    const guards = Array.from({ length: 3 }, () => sharedRateGuard(main(), workspaceRateKey));
    let admitted = 0;
    // A second and a half of 600 requests a second over three processes.
    for (let n = 0; n < 900; n++) {
      const guard = guards[n % 3];
      if ((await guard?.(key, () => start + Math.floor(n / 0.6), 1, rate)) === null) admitted++;
    }
    expect(admitted).toBeLessThanOrEqual(rate.burst + rate.perSecond * 2.5);
    expect(admitted).toBeGreaterThan(rate.burst + rate.perSecond);
    expect(units().write_units).toBeLessThan(admitted / 2);
  });

  it('limits each process to the rate while the table cannot be reached', async () => {
    const client = { send: () => Promise.reject(new Error('out of reach')) } as unknown as DynamoDBClient;
    const guard = sharedRateGuard<string>({ client, name: 'table' }, projectKeyRateKey);
    const waits = [];
    for (let n = 0; n < 4; n++) waits.push(await guard('key', () => start, 1, { perSecond: 1, burst: 3 }));
    expect(waits).toEqual([null, null, null, 1]);
  });
});
