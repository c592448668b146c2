import { quantile } from '../support/quantile.ts';
import type { graphAtEnd, lakeAtEnd } from './outcome.ts';
import type { Hour, Watch } from './watch.ts';

/** What the run must keep to. */
export const bounds = {
  /** From the second quarter's median to the last one's; the constant is what a page cache or a heap varies by. */
  memoryGrowth: { factor: 1.1, mib: 32 },
  heapGrowth: { factor: 1.1, mib: 12 },
  /** Of a message in its queue, and of an hour's burst until all of it is worked. */
  queueSeconds: 300,
  /** Metered dollars by those that docs/costs.md gives for the load, without checks and the collection of garbage. */
  cost: 2,
};

type Growth = { readonly of: string; readonly second: number; readonly last: number; readonly grows: boolean };

/** The program of the bench itself is not the service. */
const isOwn = (program: string): boolean => program === 'dynamodb-process.mjs';

export function memoryGrowth(hours: readonly Hour[]): readonly Growth[] {
  const quarter = Math.ceil(hours.length / 4);
  const programs = Object.keys(hours.at(-1)?.memory_mib ?? {}).filter((program) => !isOwn(program));
  const median = (some: readonly Hour[], program: string) =>
    quantile(
      some.map(({ memory_mib }) => memory_mib[program] ?? 0),
      0.5,
    );
  return programs.map((of) =>
    growth(of, median(hours.slice(quarter, 2 * quarter), of), median(hours.slice(-quarter), of), bounds.memoryGrowth),
  );
}

/** Heaps in use after garbage was collected, of the second day and the last, all threads together and each. */
export function heapGrowth(heaps: Watch['heaps']): readonly Growth[] {
  const [second, last] = [heaps[1] ?? {}, heaps.at(-1) ?? {}];
  // A thread that rests has ended: only those of both days are compared.
  const both = Object.keys(last).filter((name) => name in second);
  return both.map((of) => growth(of, second[of] ?? 0, last[of] ?? 0, bounds.heapGrowth));
}

const growth = (
  of: string,
  second: number,
  last: number,
  { factor, mib }: { factor: number; mib: number },
): Growth => ({
  of,
  second: Math.round(second),
  last: Math.round(last),
  grows: last > second * factor + mib,
});

export type Outcome = {
  readonly graph: Awaited<ReturnType<typeof graphAtEnd>>;
  readonly lake: Awaited<ReturnType<typeof lakeAtEnd>>;
  readonly deadLetters: Readonly<Record<string, number>>;
  readonly failedDeliveries: number;
  readonly wrongAnswers: readonly string[];
  readonly checkStates: readonly string[];
  readonly cost: { readonly used: number; readonly expected: number };
};

/** One sentence for each bound or promise that was broken. */
export function violations(watch: Watch, outcome: Outcome): readonly string[] {
  const { graph, lake } = outcome;
  const some = (edges: readonly string[]) => edges.slice(0, 5).join('; ');
  return [
    ...memoryGrowth(watch.hours)
      .filter(({ grows }) => grows)
      .map(({ of, second, last }) => `The memory of ${of} grew from ${second} to ${last} MiB.`),
    ...heapGrowth(watch.heaps)
      .filter(({ grows }) => grows)
      .map(({ of, second, last }) => `The heap of ${of} grew from ${second} to ${last} MiB.`),
    ...watch.hours.flatMap(({ hour, waited, drained_seconds }) => [
      ...Object.entries(waited)
        .filter(([, [, most]]) => most > bounds.queueSeconds)
        .map(([queue, [, most]]) => `In hour ${hour} a message waited ${Math.round(most)} s in the queue ${queue}.`),
      ...(drained_seconds > bounds.queueSeconds
        ? [`The work of hour ${hour} was not done after ${bounds.queueSeconds} s.`]
        : []),
    ]),
    ...watch.failures.map((failure) => `A function failed: ${failure.split('\n')[0]}`),
    ...Object.entries(outcome.deadLetters)
      .filter(([, count]) => count > 0)
      .map(([queue, count]) => `${count} dead letters of the queue ${queue}.`),
    ...(outcome.failedDeliveries > 0 ? [`${outcome.failedDeliveries} deliveries failed.`] : []),
    ...Object.entries(graph).flatMap(([of, { missing, foreign }]) => [
      ...(missing.length > 0 ? [`${missing.length} edges of ${of} are missing: ${some(missing)}`] : []),
      ...(foreign.length > 0
        ? [`${foreign.length} edges of ${of} were never sent, or are stale: ${some(foreign)}`]
        : []),
    ]),
    ...(lake.lost + lake.doubled + lake.foreign_rows > 0
      ? [`The lake is not what was sent: ${JSON.stringify(lake)}`]
      : []),
    ...outcome.wrongAnswers.map((wrong) => `A wrong response: ${wrong}`),
    ...outcome.checkStates.filter((state) => state !== 'passed').map((state) => `A check is ${state} at the end.`),
    ...(outcome.cost.used > bounds.cost * outcome.cost.expected
      ? [`The week costs $${outcome.cost.used.toFixed(3)}, and $${outcome.cost.expected.toFixed(3)} by docs/costs.md.`]
      : []),
  ];
}
