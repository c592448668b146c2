import type { randomFrom } from '../fuzz/mutate.ts';
import type { FaultKind } from './fault.ts';
import { faultsOf } from './fault.ts';
import { FaultyProcess, type Surroundings, type Waiting } from './faulty-process.ts';
import { Role } from './role.ts';

export type RunPlan = {
  /** By the number of the request that it befalls, counted from 0. */
  readonly faults: ReadonlyMap<number, FaultKind>;
  /** Chooses the order of messages, which of them come twice, and the clocks of processes; null: none of that. */
  readonly random: ReturnType<typeof randomFrom> | null;
};

const [second, minute] = [1_000, 60_000];

/** A code host has no conditional writes: its worker ends before the lease of a commit does, and others wait for that. */
const endingInTime: ReadonlySet<string> = new Set(['codehost']);

/**
 * The processes of one run. All their requests go one at a time, and are counted in order, so
 * that the same plan meets the same requests.
 */
export class RunProcesses {
  /** The role and command of every request, in order. */
  readonly requests: string[] = [];
  readonly befallen: string[] = [];
  /** The first requests of function calls, by their numbers. */
  readonly callsBegin = new Set<number>();
  /** What a function threw last. */
  thrown: unknown = null;
  readonly #plan: RunPlan;
  readonly #around: Surroundings;
  #waiting: readonly Waiting[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #isArmed = true;

  constructor(plan: RunPlan, outside: Pick<Surroundings, 'now' | 'pause' | 'taken'>) {
    this.#plan = plan;
    this.#around = {
      ...outside,
      befalls: (role, command, beginsCall) => this.#befalls(`${role} ${command}`, beginsCall),
      inTurn: (send) => this.#inTurn(send),
      onWaiting: (one) => {
        this.#waiting = [...this.#waiting, one];
      },
      onThrown: (error) => {
        this.thrown = error;
      },
    };
  }

  role<F>(name: string, start: () => F): Role<F> {
    return new Role(name, start, (role) => this.#process(role));
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Lets those go on that wait so; false if none did. */
  async goOn(kind: Waiting['kind']): Promise<boolean> {
    const waiting = this.#waiting.filter((one) => one.kind === kind);
    this.#waiting = this.#waiting.filter((one) => one.kind !== kind);
    for (const one of waiting) await one.goOn();
    return waiting.length > 0;
  }

  /** No fault befalls what comes after. */
  disarm(): void {
    this.#isArmed = false;
  }

  #process(role: string): FaultyProcess {
    const skewMs = this.#plan.random ? this.#plan.random(20 * 60) * second - 10 * minute : 0;
    return new FaultyProcess(role, this.#around, { skewMs, endsInTime: endingInTime.has(role) });
  }

  #befalls(request: string, beginsCall: boolean): FaultKind | undefined {
    const number = this.requests.push(request) - 1;
    if (beginsCall) this.callsBegin.add(number);
    const fault = this.#isArmed ? this.#plan.faults.get(number) : undefined;
    if (fault === undefined || !faultsOf(request).includes(fault)) return undefined;
    this.befallen.push(`${fault} ${number} ${request}`);
    return fault;
  }

  #inTurn<T>(send: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(send);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
