import { measured } from './simulate/figures.ts';
import { order, outcomes, table } from './simulate/report.ts';
import { utilisation } from './simulate/resources.ts';

// What becomes of a deployment at 10, 100 and 1,000 times the load: one JSON line a load, or `--table` as docs/scale.md
// has it.
if (process.argv.includes('--table')) process.stdout.write(`${table()}\n\n${order('openLineage')}\n`);
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
