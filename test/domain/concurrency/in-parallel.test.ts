import { expect, it } from 'vitest';
import { inParallel } from '../../../shared/domain/base/concurrency.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('answers in the order of the items, with no more under way than allowed', async () => {
  let [underWay, most] = [0, 0];
  const doubled = await inParallel(3, [5, 4, 3, 2, 1], async (item) => {
    most = Math.max(most, ++underWay);
    for (let i = 0; i < item; i++) await turn();
    underWay--;
    return item * 2;
  });
  expect(doubled).toEqual([10, 8, 6, 4, 2]);
  expect(most).toBe(3);
});

it('begins no more work after a failure', async () => {
  const start: number[] = [];
  const items = Array.from({ length: 40 }, (_, i) => i);
  const work = inParallel(4, items, async (item) => {
    start.push(item);
    await turn();
    if (item === 1) throw new Error('broken');
  });
  await expect(work).rejects.toThrow('broken');
  const whenItFailed = start.length;
  for (let i = 0; i < 50; i++) await turn();
  expect(start).toHaveLength(whenItFailed);
  expect(whenItFailed).toBeLessThan(10);
});
