import { expect, it } from 'vitest';
import { keyedLock } from '../../../shared/domain/concurrency/keyed-lock.ts';

it('runs work of one key in the order of its asking, whatever becomes of it, and of others meanwhile', async () => {
  const lock = keyedLock();
  const done: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const first = lock('a', async () => {
    await opened;
    done.push('first');
    throw new Error('it broke');
  });
  const second = lock('a', async () => done.push('second'));
  await lock('b', async () => done.push('other'));
  expect(done).toEqual(['other']);
  open();
  await expect(first).rejects.toThrow('it broke');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
  expect(await lock('a', async () => 'again')).toBe('again');
});
