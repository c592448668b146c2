import { expect, it } from 'vitest';
import { loadOnce } from '../../../shared/domain/lineage/traversal/load-once.ts';

it('reads each key once, together with the request at the same moment, and lets later askers wait for it', async () => {
  const read: string[][] = [];
  const known = new Set(['known']);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const load = loadOnce<string>(known, async (keys) => {
    read.push([...keys]);
    await gate;
    for (const key of keys) known.add(key);
  });
  const underWay = [load(['a', 'b', 'a', 'known']), load(['b', 'c'])];
  const late = load(['a']).then(() => known.has('a'));
  open();
  await Promise.all(underWay);
  expect(await late).toBe(true);
  await load(['a', 'b', 'c']);
  expect(read).toEqual([['a', 'b', 'c']]);
  await load(['d']);
  expect(read).toEqual([['a', 'b', 'c'], ['d']]);
});
