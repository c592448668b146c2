import { expect, it } from 'vitest';
import { mergedRuns } from '../../../shared/domain/base/concurrency.ts';

/** Runs whose callers bring nothing to merge. */
function sharing<R>() {
  const runs = mergedRuns<void, R>(() => undefined);
  return (key: string, work: () => Promise<R>) => runs(key, undefined, work);
}

it('runs once for all who ask meanwhile, after the run before, and each key by itself', async () => {
  const gates: (() => void)[] = [];
  let started = 0;
  const share = sharing<number>();
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

it('begins no run of a key while another one is under way, in any order of arrival', async () => {
  const ends: (() => void)[] = [];
  let [running, most] = [0, 0];
  const share = sharing<void>();
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((end) => ends.push(end));
    running--;
  };
  const begun = async (count: number) => {
    for (let turn = 0; ends.length < count && turn < 20; turn++) await new Promise(setImmediate);
  };
  const all = [share('a', work)];
  for (const run of [1, 2, 3]) {
    await begun(run);
    all.push(share('a', work));
    await begun(run + 1);
    ends[run - 1]?.();
  }
  await begun(4);
  ends[3]?.();
  await Promise.all(all);
  expect([ends.length, most]).toEqual([4, 1]);
});

it('fails for each caller that shared the run, and for no other', async () => {
  const share = sharing<string>();
  const failing = [0, 1].map(() => share('a', () => Promise.reject(new Error('no result'))));
  for (const one of failing) await expect(one).rejects.toThrow('no result');
  expect(await share('a', async () => 'fine')).toBe('fine');
});

it('writes at once what comes while a write is under way, in its order, and tells each whether its own failed', async () => {
  const writes = mergedRuns<string, void>((all) => all.join(''));
  const written: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const write = async (merged: string) => {
    await opened;
    written.push(merged);
    if (merged.startsWith('b')) throw new Error('refused');
  };
  const first = writes('key', 'a', write);
  await Promise.resolve();
  const [second, third] = [writes('key', 'b', write), writes('key', 'c', write)];
  const other = writes('other', 'd', write);
  open();
  await Promise.all([first, other]);
  await expect(second).rejects.toThrow('refused');
  await expect(third).rejects.toThrow('refused');
  await writes('key', 'e', write);
  expect(written.toSorted()).toEqual(['a', 'bc', 'd', 'e']);
});
