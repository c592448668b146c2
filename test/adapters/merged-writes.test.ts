import { expect, it } from 'vitest';
import { mergedWrites } from '../../shared/adapters/dynamodb/requests/coalesced.ts';

it('writes at once what comes while a write is under way, in its order, and tells each whether its own failed', async () => {
  const writes = mergedWrites<string>((all) => all.join(''));
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
