import { parseArgs } from 'node:util';
import { measured } from './simulate/figures.ts';
import { checkLocally } from './simulate/local-check.ts';
import { order, outcomes, table } from './simulate/report.ts';
import { utilisation } from './simulate/resources.ts';

// What becomes of a deployment at 10, 100 and 1,000 times the load: one JSON line a load, or `--table` as docs/scale.md
// has it. `--check` loads the local service for some seconds and prints what was predicted beside what was seen.
const { values } = parseArgs({
  options: { table: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});

if (values.check) await checkLocally();
else if (values.table) process.stdout.write(`${table()}\n\n${order('openLineage')}\n`);
else
  for (const { by, factor, load, saturated, waits } of outcomes())
    process.stdout.write(
      `${JSON.stringify({
        bench: 'simulate',
        figures_of: measured.date,
        by,
        factor,
        load,
        saturated: Object.fromEntries(saturated.map((one) => [one.name, Number(utilisation(one).toFixed(2))])),
        waits,
      })}\n`,
    );
