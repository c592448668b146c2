import { inspect } from 'node:util';
import { dynamodb } from '../../../shared/adapters/aws.ts';
import { table } from '../../../shared/runtime/composition/stores.ts';
import { randomFrom } from '../fuzz/mutate.ts';
import { type FaultKind, faultKinds, faultsOf } from './fault.ts';
import type { Flow } from './flow.ts';
import { observe, storedEvents, storedPayloads } from './observe.ts';
import type { FaultRun } from './run.ts';
import type { RunPlan } from './run-processes.ts';
import { storedState } from './stored-state.ts';
import { type FaultWorld, newRun } from './world.ts';

/** What a flow comes to where nothing fails. */
export type CleanRun = {
  /** Role and command of each request, until the queues were empty. */
  readonly requests: readonly string[];
  /** The first requests of function calls, by their numbers. */
  readonly callsBegin: ReadonlySet<number>;
  readonly observed: readonly string[];
  readonly stored: readonly string[];
};

/** A plan under which a flow came to something else than where nothing fails. */
export type Violation = {
  readonly flow: string;
  readonly plan: string;
  readonly befallen: readonly string[];
  readonly problem: string;
};

const nothing: RunPlan = { faults: new Map(), random: null };

export async function cleanRun(world: FaultWorld, flow: Flow): Promise<CleanRun> {
  const { run, worked } = await played(world, flow, nothing);
  const clean = {
    requests: worked,
    callsBegin: run.callsBegin,
    stored: await stateOf(world, run),
    observed: await observe(run, world.place),
  };
  await run.stores.remove();
  return clean;
}

type Plan = { readonly plan: RunPlan; readonly label: string };
type SingleFault = readonly [number: number, kind: FaultKind];

export const onlyFault = ([number, kind]: SingleFault): Plan => ({
  plan: { faults: new Map([[number, kind]]), random: null },
  label: `${kind} ${number}`,
});

/** Every fault that can befall one request of the flow; to end amid a call before a request is to end after the one before. */
export const singleFaults = ({ requests, callsBegin }: CleanRun): readonly SingleFault[] =>
  requests.flatMap((request, number) =>
    faultsOf(request)
      .filter((kind) => kind !== 'cut_before' || callsBegin.has(number))
      .map((kind) => [number, kind] as const),
  );

/** Two faults at any places, among messages that come in any order and twice, to processes whose clocks differ. */
export function randomPlan({ requests }: CleanRun, seed: number): Plan {
  const random = randomFrom(seed);
  // What fails makes a flow longer: the second may befall what only the first leads to.
  const fault = () =>
    [random(Math.ceil(requests.length * 1.3)), faultKinds[random(faultKinds.length)] ?? 'refused'] as const;
  return { plan: { faults: new Map([fault(), fault()]), random }, label: `seed ${seed}` };
}

/** Null where the flow came to the same as in the clean run. */
export async function violationOf(
  world: FaultWorld,
  [name, flow]: readonly [string, Flow],
  clean: CleanRun,
  { plan, label }: Plan,
): Promise<Violation | null> {
  const run = await newRun(world, plan);
  const problem = await problemOf(world, run, flow, clean);
  await run.stores.remove();
  return problem === null ? null : { flow: name, plan: label, befallen: run.befallen, problem };
}

async function problemOf(world: FaultWorld, run: FaultRun, flow: Flow, clean: CleanRun): Promise<string | null> {
  try {
    await flow(run, world.place);
    await run.end();
  } catch (error) {
    return inspect(error);
  }
  // Equal stores tell everybody the same; what differs in them may still be of no consequence.
  if (isSame(await stateOf(world, run), clean.stored)) return null;
  const observed = await observe(run, world.place);
  const compared = clean.observed.filter((line) => run.hasOneClock || !line.startsWith('graph '));
  return isSame(observed, compared) ? null : difference(compared, observed);
}

async function played(world: FaultWorld, flow: Flow, plan: RunPlan) {
  const run = await newRun(world, plan);
  await flow(run, world.place);
  await run.settle();
  const processed = [...run.requests];
  await run.end();
  return { run, worked: processed };
}

/** The ledger of events names runs at random, and archives hold what comes again: what they led to is read. */
async function stateOf({ place }: FaultWorld, run: FaultRun): Promise<readonly string[]> {
  const { name } = run.stores.used(table)();
  return [
    ...(await storedState(dynamodb(), name)),
    ...(await storedEvents(run, place)),
    ...(await storedPayloads(run, place)),
  ];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n');

function difference(clean: readonly string[], found: readonly string[]): string {
  const without = (lines: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return lines.filter((line) => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const [lost, added] = [without(clean, found), without(found, clean)];
  return [...lost.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].join('\n');
}
