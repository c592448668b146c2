// Proves that each regular expression of the sources takes time in proportion to its text, and lists it: a minute or
// more, so that the test only compares with the list.
import { readFileSync, writeFileSync } from 'node:fs';

process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');
const { repeatingPatterns } = await import('./patterns.ts');

const list = new URL('../test/architecture/linear-patterns.txt', import.meta.url);
const proven = new Set(readFileSync(list, 'utf8').split('\n'));
const patterns = await repeatingPatterns();
const refused = patterns.filter((pattern) => !proven.has(pattern) && !isLinear(pattern));

function isLinear(pattern) {
  const end = pattern.lastIndexOf('/');
  const options = { checker: 'automaton', timeout: 120_000 };
  const { status } = checkSync(pattern.slice(1, end), pattern.slice(end + 1), options);
  return status === 'safe';
}

writeFileSync(
  list,
  patterns
    .filter((pattern) => !refused.includes(pattern))
    .join('\n')
    .concat('\n'),
);
for (const pattern of refused) console.error(`not proven to take linear time: ${pattern}`);
if (refused.length > 0) process.exitCode = 1;
