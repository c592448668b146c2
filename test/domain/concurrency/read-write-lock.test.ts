import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readWriteLock } from '../../../shared/domain/base/concurrency.ts';

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

it('runs exclusive work alone and shared work together, all of it, whatever fails', async () => {
  const works = fc.array(
    fc.record({ mode: fc.constantFrom('shared', 'exclusive'), length: fc.nat(9), fails: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(works, async (request) => {
      const lock = readWriteLock();
      const running = new Set<object>();
      const settled = await Promise.allSettled(
        request.map((one) =>
          lock[one.mode](async () => {
            running.add(one);
            const others = [...running].filter((other) => other !== one);
            if (one.mode === 'exclusive') expect(others).toEqual([]);
            for (const other of others) expect(other).toMatchObject({ mode: 'shared' });
            await turns(one.length);
            running.delete(one);
            if (one.fails) throw new Error('as it was asked to');
          }),
        ),
      );
      expect(settled.map(({ status }) => status)).toEqual(
        request.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
      );
    }),
  );
});

it('lets shared work run beside shared work', async () => {
  const lock = readWriteLock();
  const both = Promise.withResolvers<void>();
  await Promise.all([lock.shared(() => both.promise), lock.shared(async () => both.resolve())]);
});

it('does not let later shared work pass exclusive work that waits', async () => {
  const lock = readWriteLock();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const all = [
    lock.shared(() => first.promise),
    lock.exclusive(async () => void order.push('exclusive')),
    lock.shared(async () => void order.push('shared')),
  ];
  first.resolve();
  await Promise.all(all);
  expect(order).toEqual(['exclusive', 'shared']);
});
