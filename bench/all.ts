import { parseArgs } from 'node:util';
import { largeLedger, ledger } from './support/ledger.ts';
import { type Measured, measured } from './support/measure.ts';
import { occasion, type Result, recordRun } from './support/results.ts';
import { writeFigures } from './support/written-figures.ts';

// The ledger of speed: one JSON line a figure, beside its aim, in some five minutes on two processors. `--large` takes the large graphs too, `--only BENCH,...` some benches. `--record` adds to
// bench/results and writes docs/benchmarks.md.
const { values } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',');
const chosen = [...ledger, ...(values.large ? largeLedger : [])].filter(({ bench }) => only?.includes(bench) ?? true);
if (chosen.length === 0) throw new Error('usage: all.ts [--large] [--only BENCH,...] [--record]');

const on = occasion();
const results: Result[] = [];
for (const measurement of chosen) {
  const began = performance.now();
  try {
    for (const one of await measured(measurement)) print(resultOf(one));
  } catch (error) {
    // The other benches say something without this one.
    process.stderr.write(`${measurement.bench}: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
  process.stderr.write(`${measurement.bench}: ${Math.round((performance.now() - began) / 1_000)} s\n`);
}
if (values.record) {
  process.stderr.write(`${recordRun({ on, results })}\n`);
  writeFigures();
}

function resultOf({ figure: { name, unit, aim }, bench, value }: Measured): Result {
  return { figure: name, value, unit, bench, ...(aim !== undefined && { aim }) };
}

function print(result: Result): void {
  results.push(result);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
