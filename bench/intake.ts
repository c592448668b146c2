import { parseArgs } from 'node:util';
import { chunksOf } from '../shared/domain/base/collections.ts';
import { inParallel } from '../shared/domain/base/concurrency.ts';
import { projectorPorts } from '../shared/runtime/composition/workers.ts';
import { printerOf, quantile, rounded } from './support/figures.ts';
import { startMeteredWorkspace, type Usage } from './support/metered-workspace.ts';
import { acceptEvents, projectAccepted } from './support/openlineage-work.ts';
import { runEvents } from './support/run-events.ts';

// What OpenLineage events cost, accepted and projected: one JSON line a figure.
const { values } = parseArgs({ options: { jobs: { type: 'string', default: '500' } } });
const { stores, workspace, connector, usageOf } = await startMeteredWorkspace();
// Only now: the runtime reads its environment when it is loaded.
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
const place = { workspace, connector };
const [intake, worker] = [ingestPorts(), projectorPorts()];
const steps = ['accept', 'project', 'accept_and_project'] as const;
const print = printerOf('intake');

try {
  await measureEvents('first_seen', 1, [0]);
  await measureEvents('known', 1, [1, 2, 3]);
  await measureEvents('known', 100, [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
} finally {
  stores.stop();
}

/** A line a step and round, and one each of the medians and of the least of the rounds. */
async function measureEvents(jobs: 'first_seen' | 'known', batch: number, rounds: readonly number[]): Promise<void> {
  const measured: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (const round of rounds) measured.push(await measureRound(jobs, batch, round));
  for (const step of steps) {
    const figures = measured.map((one) => one[step]);
    print({ jobs, batch, round: 'median', step, ...eachOf(figures, (some) => quantile(some, 0.5)) });
    // What else a machine does only adds: the least is nearest to what events take of themselves.
    const { cpu_seconds_per_1000 } = eachOf(figures, (some) => Math.min(...some));
    print({ jobs, batch, round: 'least', step, cpu_seconds_per_1000 });
  }
}

async function measureRound(jobs: string, batch: number, round: number) {
  const events = runEvents(Number(values.jobs), round);
  const bodies = (batch === 1 ? events : chunksOf(events, batch)).map((one) => Buffer.from(JSON.stringify(one)));
  const receipts: Awaited<ReturnType<typeof acceptEvents>>[] = [];
  const accepted = await usageOf(async () => {
    receipts.push(...(await inParallel(8, bodies, (bytes) => acceptEvents(intake, place, bytes))));
  });
  const projected = await usageOf(async () => {
    // As the queue hands them out, ten at once.
    for (const messages of chunksOf(receipts, 10))
      await inParallel(10, messages, (receipt) => projectAccepted(worker, workspace, receipt));
  });
  const figures = {
    accept: each([accepted], events.length),
    project: each([projected], events.length),
    accept_and_project: each([accepted, projected], events.length),
  };
  for (const step of steps) print({ jobs, events: events.length, batch, round, step, ...figures[step] });
  return figures;
}

/** Of steps one after another. */
function each(usages: readonly Usage[], events: number): Readonly<Record<string, number>> {
  const all = (figure: keyof Usage) => usages.reduce((sum, used) => sum + used[figure], 0);
  return {
    cpu_seconds_per_1000: rounded((all('cpu_seconds') / events) * 1000, 3),
    requests_per_event: rounded(all('requests') / events, 3),
    read_units_per_event: rounded(all('read_units') / events, 3),
    write_units_per_event: rounded(all('write_units') / events, 3),
  };
}

/** One number of those of each figure. */
function eachOf(each: readonly Readonly<Record<string, number>>[], of: (some: readonly number[]) => number) {
  const figureOf = (name: string) => of(each.map((figures) => figures[name] ?? Number.NaN));
  return Object.fromEntries(Object.keys(each[0] ?? {}).map((name) => [name, figureOf(name)]));
}
