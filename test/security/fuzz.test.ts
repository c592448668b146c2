import { expect, it } from 'vitest';
import { fuzz } from '../support/fuzz/fuzz.ts';
import { readers } from '../support/fuzz/readers.ts';

/** `npm run verify -- --only bodies` runs 200,000. */
const bodies = 900;

it('reads or refuses every mutated body, and throws nothing else', async () => {
  const { read, refused, thrown } = await fuzz(readers, bodies, 1);
  expect(thrown.map(({ reader, error }) => [reader, String(error)])).toEqual([]);
  expect(read + refused).toBe(bodies);
  expect(Math.min(read, refused)).toBeGreaterThan(bodies / 20);
}, 60_000);
