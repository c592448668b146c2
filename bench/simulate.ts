import measured from './simulate/figures.json' with { type: 'json' };
import { outcomes, table } from './simulate/report.ts';
import { utilisation } from './simulate/resources.ts';
import { printerOf, rounded } from './support/figures.ts';

// What becomes of a deployment at 10, 100 and 1,000 times the load: one JSON line a load, or `--table` as docs/scale.md
// has it.
const print = printerOf('simulate');
if (process.argv.includes('--table')) console.log(table());
else
  for (const { by, factor, load, saturated, waits } of outcomes())
    print({
      ...{ figures_of: measured.date, by, factor, load, waits },
      saturated: Object.fromEntries(saturated.map((one) => [one.name, rounded(utilisation(one), 2)])),
    });
