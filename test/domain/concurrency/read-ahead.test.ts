import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAhead } from '../../../shared/domain/base/concurrency.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i;
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('reading ahead', () => {
  it('keeps the order of the items, and the bound, in whatever order the work ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(20), fc.nat(5), async (scheduler, count, ahead) => {
        let [underWay, most] = [0, 0];
        const work = async (item: number) => {
          most = Math.max(most, ++underWay);
          await scheduler.schedule(Promise.resolve());
          underWay--;
          return item;
        };
        const results = await scheduler.waitFor(gathered(readAhead(ahead, numbers(count), work)));
        expect(results).toEqual(Array.from({ length: count }, (_, i) => i));
        expect(most).toBeLessThanOrEqual(ahead + 1);
      }),
    );
  });

  it('begins nothing more while its reader holds back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.nat(5), async (used, ahead) => {
        let start = 0;
        const results = readAhead(ahead, numbers(100), async () => start++);
        for (let i = 0; i < used; i++) await results.next();
        expect(start).toBe(used + ahead);
      }),
    );
  });

  it('fails if the work failed, after it has given the results before', async () => {
    const results = readAhead(3, numbers(10), async (item) => {
      if (item === 1) throw new Error('the work failed');
      return item;
    });
    expect(await results.next()).toEqual({ done: false, value: 0 });
    await expect(results.next()).rejects.toThrow('the work failed');
  });
});
