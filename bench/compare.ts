import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, largeLedger, ledger } from './support/ledger.ts';
import { measured } from './support/measure.ts';
import { type Comparison, comparePairs, type Pair } from './support/paired.ts';

// Tells what a change has changed from noise, one JSON line a figure: the benches of two checkouts run in turns,
// `compare.ts BEFORE AFTER [--only BENCH,...] [--pairs 8]`.
// Fewer than six pairs tell nothing: five of five happen by chance once in sixteen.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, pairs: { type: 'string', default: '8' } },
});
const [before, after] = positionals;
if (before === undefined || after === undefined)
  throw new Error('usage: compare.ts BEFORE AFTER [--only BENCH,...] [--pairs 8]');

const only = values.only?.split(',');
const chosen = ledger.filter(({ bench }) => only?.includes(bench) ?? true);
if (chosen.length === 0) throw new Error(`no bench of the ledger is called ${values.only}`);

type Values = ReadonlyMap<string, number>;
type Side = 'before' | 'after';

const pairs = await runInTurns({ before, after });
const figures = new Map(
  [...ledger, ...largeLedger].flatMap((one) => one.figures.map((figure) => [figure.name, figure])),
);
let [compared, changes, byChance] = [0, 0, 0];
for (const name of new Set(pairs.flatMap((pair) => [...pair.before.keys(), ...pair.after.keys()]))) {
  const both = pairs.flatMap((pair): Pair[] => {
    const [was, is] = [pair.before.get(name), pair.after.get(name)];
    return was === undefined || is === undefined ? [] : [{ before: was, after: is }];
  });
  if (both.length > 0) console.log(JSON.stringify(lineOf(name, comparePairs(both))));
  else console.log(JSON.stringify({ figure: name, verdict: 'on one side only' }));
}
// The number of changes that would be found if nothing had changed.
console.log(JSON.stringify({ figures: compared, changes, by_chance: rounded(byChance) }));

/** A change is better where less is. */
function lineOf(name: string, { false_alarm, ...comparison }: Comparison): object {
  const unit = figures.get(name)?.unit;
  compared++;
  byChance += false_alarm;
  const numbers = Object.entries(comparison).map(([field, value]) => [
    field,
    typeof value === 'number' ? rounded(value) : value,
  ]);
  const line = { figure: name, unit, ...Object.fromEntries(numbers) };
  if (comparison.verdict !== 'change') return line;
  changes++;
  return { ...line, change: comparison.ratio < 1 ? 'better' : 'worse' };
}

/** Which of a pair comes first changes, so that a machine that grows slower or faster is no change. */
async function runInTurns(folders: Readonly<Record<Side, string>>) {
  const all: Record<Side, Values>[] = [];
  for (let i = 0; i < Number(values.pairs); i++) {
    const pair: Record<Side, Values> = { before: new Map(), after: new Map() };
    const order: readonly Side[] = i % 2 === 0 ? ['before', 'after'] : ['after', 'before'];
    for (const side of order) {
      const began = performance.now();
      pair[side] = await measuredIn(path.resolve(folders[side]));
      const seconds = Math.round((performance.now() - began) / 1_000);
      process.stderr.write(`pair ${i + 1} of ${values.pairs}, ${side}: ${seconds} s\n`);
    }
    all.push(pair);
  }
  return all;
}

async function measuredIn(root: string): Promise<Values> {
  const found = new Map<Figure['name'], number>();
  for (const measurement of chosen)
    for (const { figure, value } of await measured(measurement, root)) found.set(figure.name, value);
  return found;
}

function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4));
}
