import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, ledger } from './support/ledger.ts';
import { measured } from './support/measure.ts';
import { comparePairs, type Pair } from './support/paired.ts';
import { readRun } from './support/results.ts';

// Tells what a change has changed from noise, one JSON line a figure. Either two checkouts, whose benches run in turns,
// `compare.ts BEFORE AFTER [--only BENCH,...] [--pairs 8]`, or recorded runs: `compare.ts A.jsonl,... B.jsonl,...`.
// Fewer than six pairs cannot tell anything: five of five happen by chance once in sixteen.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, pairs: { type: 'string', default: '8' } },
});
const [before, after] = positionals;
if (before === undefined || after === undefined)
  throw new Error('usage: compare.ts BEFORE AFTER [--only BENCH,...] [--pairs 8]');

type Values = ReadonlyMap<string, number>;
type Side = 'before' | 'after';

const isFolder = statSync(before, { throwIfNoEntry: false })?.isDirectory() ?? false;
const pairs = isFolder ? await runInTurns({ before, after }) : recorded(before, after);
const figures = new Set(pairs.flatMap((pair) => [...pair.before.keys()]));
let changes = 0;
for (const figure of figures) {
  const both = pairs.flatMap((pair): Pair[] => {
    const [was, is] = [pair.before.get(figure), pair.after.get(figure)];
    return was === undefined || is === undefined ? [] : [{ before: was, after: is }];
  });
  if (both.length === 0) continue;
  const compared = comparePairs(both);
  if (compared.verdict === 'change') changes++;
  print({ figure, ...compared });
}
// So many changes would be found where nothing has changed and no figure is exact.
print({ figures: figures.size, changes, by_chance: figures.size * 2 ** (1 - pairs.length) });

/** Which of a pair comes first changes, so that a machine that grows slower or faster is no change. */
async function runInTurns(folders: Readonly<Record<Side, string>>) {
  const all: Record<Side, Values>[] = [];
  for (let i = 0; i < Number(values.pairs); i++) {
    const pair: Record<Side, Values> = { before: new Map(), after: new Map() };
    const order: readonly Side[] = i % 2 === 0 ? ['before', 'after'] : ['after', 'before'];
    for (const side of order) pair[side] = await measuredIn(path.resolve(folders[side]));
    all.push(pair);
  }
  return all;
}

async function measuredIn(root: string): Promise<Values> {
  const only = values.only?.split(',');
  const found = new Map<Figure['name'], number>();
  for (const measurement of ledger.filter(({ bench }) => only?.includes(bench) ?? true))
    for (const { figure, value } of await measured(measurement, root)) found.set(figure.name, value);
  return found;
}

function recorded(earlier: string, later: string): Record<Side, Values>[] {
  const [olds, news] = [earlier, later].map((files) => files.split(',').map(readRun));
  return (olds ?? []).flatMap((old, i) => {
    const now = news?.[i];
    return now ? [{ before: valuesOf(old), after: valuesOf(now) }] : [];
  });
}

function valuesOf({ results }: ReturnType<typeof readRun>): Values {
  return new Map(results.map(({ figure, value }) => [figure, value]));
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
