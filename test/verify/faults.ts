import { inParallel } from '../../shared/domain/base/concurrency.ts';
import {
  type CleanRun,
  cleanRun,
  onlyFault,
  randomPlan,
  singleFaults,
  violationOf,
} from '../support/faults/explore.ts';
import { faultKinds } from '../support/faults/fault.ts';
import type { Flow } from '../support/faults/flow.ts';
import { flows } from '../support/faults/flows.ts';
import { sampled } from '../support/faults/sampled.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/world.ts';
import type { Verification, VerifyOptions } from './verification.ts';

export const flowNames: readonly string[] = Object.keys(flows);

const runsAtOnce = 3;
/** Plans a flow; one that makes more requests than `long` takes so much longer that a sample of it is looked at. */
const [quickly, wholly, long] = [{ singles: 12, pairs: 4 }, { singles: Infinity, pairs: 30 }, 150];
const ofLong = { quick: { singles: 4, pairs: 1 }, whole: { singles: 100, pairs: 10 } };

/**
 * Whole flows under every single fault at every request, and under two at random among disorder: each has to come to
 * what it comes to where nothing fails.
 */
export async function* verifyFaults(options: VerifyOptions): Verification {
  const world = await startFaultWorld();
  try {
    for (const [name, flow] of Object.entries(flows).filter(([name]) => name.includes(options.flow))) {
      const clean = await cleanRun(world, flow);
      yield* verifyFlow(world, [name, flow], clean, options);
    }
  } finally {
    await world.stop();
  }
}

async function* verifyFlow(
  world: FaultWorld,
  flow: readonly [string, Flow],
  clean: CleanRun,
  { quick, seed, exhaustive }: VerifyOptions,
): Verification {
  const all = singleFaults(clean);
  const isLong = clean.requests.length > long;
  const [short, sampling] = quick ? [quickly, ofLong.quick] : [wholly, ofLong.whole];
  const counts = isLong && !exhaustive ? sampling : short;
  const singles = sampled(all, counts.singles, seed);
  const pairs = Array.from({ length: counts.pairs }, (_, n) => randomPlan(clean, seed * 1_000 + n));
  const found = await inParallel(runsAtOnce, [...singles.map(onlyFault), ...pairs], (plan) =>
    violationOf(world, flow, clean, plan),
  );
  const kinds = Object.fromEntries(faultKinds.map((kind) => [kind, singles.filter(([, one]) => one === kind).length]));
  yield {
    flow: flow[0],
    requests: clean.requests.length,
    single_faults: singles.length,
    of: all.length,
    kinds,
    pairs: pairs.length,
    violations: found.filter((violation) => violation !== null),
  };
}
