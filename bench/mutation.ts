import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createCopy } from './mutation/copy.ts';
import equivalent from './mutation/equivalent.json' with { type: 'json' };
import { applied, folderOf, inSampleOrder, type Mutant, mutantsOf, sourceFiles } from './mutation/mutants.ts';
import { markdownTable } from './support/markdown-table.ts';

// Plants one fault at a time in a copy of the sources, and runs the tests that reach it until one fails:
// `node bench/mutation.ts [--seed N,…] [--number N] [--at FILE[:LINE]] [--tests FOLDER,…] [--minutes N] [--limit SECONDS]`.
// Draws the number of mutants for each seed. Prints a JSON line for each that no test notices, then a table by folder. With
// `--tests` only mutants count that these tests reach. Ends with 1 if fewer than `--least` percent of 10 or more are noticed.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    number: { type: 'string', default: '100' },
    at: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    minutes: { type: 'string', default: '150' },
    /** How long the tests of one mutant may take, as they took without it. */
    limit: { type: 'string', default: '240' },
    least: { type: 'string', default: '75' },
  },
});
type Verdict = 'noticed' | 'survived' | 'not reached' | 'out of time' | 'equivalent';
const verdicts = ['noticed', 'survived', 'not reached', 'out of time', 'equivalent'] as const;

const root = path.resolve(import.meta.dirname, '..');
const number = Number(values.number);
const filters = values.tests === '' ? [] : values.tests.split(',');
const begun = Date.now();
const [atFile, atLine] = values.at.split(':');
const files = sourceFiles(root).filter((file) => file.startsWith(atFile ?? ''));
const all = files.flatMap((file) => mutantsOf(file, readFileSync(path.join(root, file), 'utf8')));
const seeds = values.seed.split(',').map(Number);
const there = all.filter(({ line }) => atLine === undefined || line === Number(atLine));
const size = filters.length > 0 ? number * 4 : number;
const sample = [...new Set(seeds.flatMap((seed) => inSampleOrder(there, seed).slice(0, size)))];

const counts = new Map<string, Record<Verdict, number>>();
const copy = createCopy(root);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    copy.remove();
    process.exit(1);
  });
try {
  const { tests, durations, failing } = await copy.reach(sample, filters);
  if (failing.length > 0) console.log(JSON.stringify({ problem: 'fail without a mutant', tests: failing }));
  if (durations.size === 0) throw new Error('No test file ran.');
  console.log(JSON.stringify({ mutants: all.length, tests: durations.size, minutes: minutesSince(begun) }));
  let left = number * seeds.length;
  for (const [index, mutant] of sample.entries()) {
    const own = tests[index] ?? [];
    if (left === 0 || minutesSince(begun) > Number(values.minutes)) break;
    if (filters.length > 0 && own.length === 0) continue;
    left--;
    count(mutant, await judge(mutant, own, durations));
  }
} finally {
  copy.remove();
}
report();

async function judge(
  mutant: Mutant,
  tests: readonly string[],
  durations: ReadonlyMap<string, number>,
): Promise<Verdict> {
  if (equivalent.some((one) => one.file === mutant.file && one.source === mutant.source && one.kind === mutant.kind))
    return 'equivalent';
  if (tests.length === 0) return 'not reached';
  const within: string[] = [];
  let expected = 0;
  for (const test of tests) {
    expected += durations.get(test) ?? 0;
    if (within.length > 0 && expected > Number(values.limit) * 1_000) break;
    within.push(test);
  }
  const original = copy.read(mutant.file);
  copy.write(mutant.file, applied(original, mutant));
  try {
    // An endless loop is a fault that the tests notice.
    if ((await copy.run(within, expected * 4 + 30_000, '--bail', '1')) !== true) return 'noticed';
    if (!copy.passesCheck(mutant.file)) return 'noticed';
    return within.length < tests.length ? 'out of time' : 'survived';
  } finally {
    copy.write(mutant.file, original);
  }
}

function count({ file, line, kind, source, text }: Mutant, verdict: Verdict): void {
  const folder = folderOf(file);
  const own = counts.get(folder) ?? { noticed: 0, survived: 0, 'not reached': 0, 'out of time': 0, equivalent: 0 };
  own[verdict]++;
  counts.set(folder, own);
  if (verdict !== 'noticed')
    console.log(JSON.stringify({ verdict, place: `${file}:${line}`, kind, source, text: text.slice(0, 120) }));
}

function report(): void {
  const sum = (of: Verdict) => [...counts.values()].reduce((total, one) => total + one[of], 0);
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const cells = (name: string, of: (verdict: Verdict) => number) => [name, ...verdicts.map((one) => String(of(one)))];
  const body = [...rows.map(([folder, one]) => cells(folder, (of) => one[of])), cells('all', sum)];
  console.log(markdownTable([['folder', ...verdicts], ...body]));
  const judged = verdicts.filter((one) => one !== 'equivalent').reduce((total, one) => total + sum(one), 0);
  const percent = Math.round((100 * sum('noticed')) / Math.max(judged, 1));
  console.log(JSON.stringify({ seed: values.seed, judged, percent, minutes: minutesSince(begun) }));
  if (judged >= 10 && percent < Number(values.least)) process.exitCode = 1;
}

function minutesSince(time: number): number {
  return Math.round((Date.now() - time) / 6_000) / 10;
}
