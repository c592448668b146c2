import { parseArgs } from 'node:util';

// Looks for what no example shows: `npm run verify -- [--quick] [--seed N] [--only PART] [--flow FLOW]`. One JSON line of counts a
// part, one for each violation, and status 1 where there is any. A line of a violation says how to repeat it.
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    flow: { type: 'string', default: '' },
  },
});
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT';
process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'Tributary';

// Only now: the runtime reads its environment when it is loaded.
const { verifyFaults } = await import('./support/verify-faults.ts');
const { verifyHistories } = await import('./support/verify-histories.ts');
const { verifyBodies } = await import('./support/verify-bodies.ts');

// Faults are last: they point this process's environment, which a service would inherit, to stores of their own.
const parts = { histories: verifyHistories, bodies: verifyBodies, faults: verifyFaults };
const options = { quick: values.quick, seed: Number(values.seed), flow: values.flow };
for (const [name, verify] of Object.entries(parts)) {
  if (values.only !== undefined && !name.startsWith(values.only)) continue;
  const began = performance.now();
  for await (const { violations, ...counts } of verify(options)) {
    for (const violation of violations) console.log(JSON.stringify({ part: name, violation }));
    if (violations.length > 0) process.exitCode = 1;
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(JSON.stringify({ part: name, ...counts, violations: violations.length, seed: options.seed, seconds }));
  }
}
// What was cut off under a fault may still wait for an answer.
process.exit();
