import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortedBy } from '../../../shared/domain/base/collections.ts';
import { turns } from '../../../shared/domain/base/concurrency.ts';

const works = fc.array(fc.record({ rank: fc.constantFrom('first' as const, 'last' as const), succeeds: fc.boolean() }));

it('has no more work under way than its limit, begins what is to be first before the rest, and ends all of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), works, fc.scheduler(), async (limit, all, scheduler) => {
      const ranks = turns(limit);
      const start: number[] = [];
      let [underWay, most] = [0, 0];
      const settled = Promise.allSettled(
        all.map(({ rank, succeeds }, i) =>
          ranks[rank](async () => {
            start.push(i);
            most = Math.max(most, ++underWay);
            await scheduler.schedule(Promise.resolve());
            underWay--;
            if (!succeeds) throw new Error('it broke');
          }),
        ),
      );
      await scheduler.waitFor(settled);
      expect((await settled).map(({ status }) => status === 'fulfilled')).toEqual(all.map(({ succeeds }) => succeeds));
      // What came while there were places began at once.
      const indexes = [...all.keys()];
      const waited = sortedBy(indexes.slice(limit), (i) => (all[i]?.rank === 'first' ? 0 : 1));
      expect(start).toEqual([...indexes.slice(0, limit), ...waited]);
      expect(most).toBe(Math.min(limit, all.length));
    }),
  );
});
