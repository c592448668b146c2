import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { inParallel } from '../../shared/domain/base/concurrency.ts';

// Looks for what no example shows: `npm run verify -- [--quick] [--seed N] [--minutes N] [--only PART] [--flow FLOW [--exhaustive]]`.
// One JSON line of counts a part, one for each violation, and status 1 where there is any. A line of a violation says how to
// repeat it. Without `--only` each part, and each flow under faults, is its own process, as many at once as there are
// processors; none begins after the minutes, and a line says what is left out for that.
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    only: { type: 'string' },
    flow: { type: 'string', default: '' },
    exhaustive: { type: 'boolean', default: false },
  },
});
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT';
process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'Tributary';

// Only now: the runtime reads its environment when it is loaded.
const { flowNames, verifyFaults } = await import('./faults.ts');
const { verifyHistories } = await import('./histories.ts');
const { verifyBodies } = await import('./bodies.ts');

// Faults are last: they point this process's environment, which a service would inherit, to their own stores.
const parts = { histories: verifyHistories, bodies: verifyBodies, faults: verifyFaults };
const options = { quick: values.quick, seed: Number(values.seed), flow: values.flow, exhaustive: values.exhaustive };
const only = values.only ?? (values.flow === '' ? undefined : 'faults');
if (only === undefined) {
  const ofFaults = values.quick ? [''] : flowNames;
  const tasks = [['histories'], ['bodies'], ...ofFaults.map((flow) => ['faults', '--flow', flow])];
  const common = [
    '--seed',
    values.seed,
    ...(values.quick ? ['--quick'] : []),
    ...(values.exhaustive ? ['--exhaustive'] : []),
  ];
  const end = performance.now() + Number(values.minutes) * 60_000;
  const ended = await inParallel(availableParallelism(), tasks, async (task) => {
    if (performance.now() < end) return ownProcess(['--only', ...task, ...common]);
    console.log(JSON.stringify({ part: task[0], flow: task[2], left_out: 'no time' }));
    return 0;
  });
  process.exit(ended.some((status) => status !== 0) ? 1 : 0);
}
for (const [name, verify] of Object.entries(parts)) {
  if (!name.startsWith(only)) continue;
  const began = performance.now();
  for await (const { violations, ...counts } of verify(options)) {
    for (const violation of violations) console.log(JSON.stringify({ part: name, violation }));
    if (violations.length > 0) process.exitCode = 1;
    const seconds = Math.round((performance.now() - began) / 1_000);
    const { user, system } = process.cpuUsage();
    const processor_seconds = Math.round((user + system) / 1e6);
    const spent = { seed: options.seed, seconds, processor_seconds };
    console.log(JSON.stringify({ part: name, ...counts, violations: violations.length, ...spent }));
  }
}
// What was cut off under a fault may still wait for an answer.
process.exit();

/** The exit status of a process of this program. */
async function ownProcess(args: readonly string[]): Promise<number> {
  const [status] = await once(spawn(process.execPath, [import.meta.filename, ...args], { stdio: 'inherit' }), 'exit');
  return status ?? 1;
}
