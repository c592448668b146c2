import { cpuMsOf } from './figures.ts';

const rounds = 20;
const calls = 25;

type Work = () => unknown;

/**
 * Microseconds of processor time a call of each, user and system: the minimum over many alternating rounds,
 * so that what else the machine does weighs on none of them.
 */
export async function processorTimes<Name extends string>(
  works: Readonly<Record<Name, Work>>,
): Promise<Readonly<Record<Name, number>>> {
  const least = Object.fromEntries(Object.keys(works).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries<Work>(works))
      least[name] = Math.min(least[name] ?? 0, await processorTime(work));
  return least as Record<Name, number>;
}

async function processorTime(work: Work): Promise<number> {
  const ms = await cpuMsOf(async () => {
    for (let i = 0; i < calls; i++) await work();
  });
  return (1_000 * ms) / calls;
}
