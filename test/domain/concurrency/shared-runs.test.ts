import { expect, it } from 'vitest';
import { sharedRuns } from '../../../shared/domain/base/concurrency.ts';

it('runs once for all who ask meanwhile, after the run before, and each key by itself', async () => {
  const gates: (() => void)[] = [];
  let started = 0;
  const share = sharedRuns<number>();
  const work = async () => {
    const run = ++started;
    await new Promise<void>((open) => gates.push(open));
    return run;
  };
  const opened = async () => {
    while (gates.length === 0) await new Promise(setImmediate);
    gates.shift()?.();
  };
  const first = share('a', work);
  while (gates.length === 0) await new Promise(setImmediate);
  const later = [share('a', work), share('a', work)];
  await opened();
  expect(await first).toBe(1);
  await opened();
  expect(await Promise.all(later)).toEqual([2, 2]);
  const [one, other] = [share('a', work), share('b', work)];
  await opened();
  await opened();
  expect(await Promise.all([one, other])).toEqual([3, 4]);
});

it('fails for those who shared the run, and for nobody else', async () => {
  const share = sharedRuns<string>();
  const failing = [0, 1].map(() => share('a', () => Promise.reject(new Error('no result'))));
  for (const one of failing) await expect(one).rejects.toThrow('no result');
  expect(await share('a', async () => 'fine')).toBe('fine');
});
