import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { repeatingPatterns } from '../../scripts/prove-patterns.ts';

/** Written by `node scripts/prove-patterns.ts`, which proves each with an automaton: it has to run where an expression is new. */
const proven = new Set(readFileSync(new URL('./linear-patterns.txt', import.meta.url), 'utf8').split('\n'));

it('has no regular expression that is not proven to take time in proportion to its text', async () => {
  expect((await repeatingPatterns()).filter((pattern) => !proven.has(pattern))).toEqual([]);
}, 120_000);
