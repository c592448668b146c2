import { expect, it } from 'vitest';
import { coalesced } from '../../shared/adapters/dynamodb/requests/coalesced.ts';

it('reads once for all who ask before a read begins, and nobody an answer that is older than his question', async () => {
  let [written, reads] = [0, 0];
  const gates: (() => void)[] = [];
  const read = coalesced(async (key: string) => {
    reads++;
    const answer = `${key} ${written}`;
    await new Promise<void>((open) => gates.push(open));
    return answer;
  });
  const open = async () => {
    while (gates.length === 0) await new Promise(setImmediate);
    for (const gate of gates.splice(0)) gate();
  };
  const early = [read('a'), read('b'), read('a')];
  await open();
  expect(await Promise.all(early)).toEqual(['a 0', 'b 0', 'a 0']);
  const before = read('a');
  while (gates.length === 0) await new Promise(setImmediate);
  written++;
  const meanwhile = [read('a'), read('a')];
  await open();
  await open();
  expect(await Promise.all([before, ...meanwhile])).toEqual(['a 0', 'a 1', 'a 1']);
  expect(reads).toBe(4);
});

it('tells a failure to those who asked only for that read', async () => {
  let fails = true;
  const read = coalesced(async (key: string) => {
    if (fails) throw new Error('no answer');
    return key;
  });
  await expect(read('a')).rejects.toThrow('no answer');
  fails = false;
  expect(await read('a')).toBe('a');
});

it('reads once for those who ask while the first waits for others', async () => {
  const { promise: others, resolve: begin } = Promise.withResolvers<void>();
  let reads = 0;
  const read = coalesced(
    async (key: string) => `${key} ${++reads}`,
    () => others,
  );
  const first = read('a');
  await new Promise(setImmediate);
  const second = read('a');
  begin();
  expect(await Promise.all([first, second])).toEqual(['a 1', 'a 1']);
});
