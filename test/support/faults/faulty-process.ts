import { type FaultKind, StoreOutOfReach } from './fault.ts';
import { inProcess, type SimulatedProcess } from './processes.ts';

/** What all processes of a run share. */
export type Surroundings = {
  readonly now: () => Date;
  /** The fault that befalls the next request, if any; counts it, and notes whether a call begins with it. */
  readonly befalls: (role: string, command: string, beginsCall: boolean) => FaultKind | undefined;
  /** Sends requests one at a time, in their original order. */
  readonly inTurn: <T>(send: () => Promise<T>) => Promise<T>;
  /** Has the store, or the queue, take a request. */
  readonly taken: <T>(command: string, input: object, send: () => Promise<T>) => Promise<T>;
  /** Called when a process waits within a request. */
  readonly onWaiting: (waiting: Waiting) => void;
  readonly pause: () => Promise<void>;
  /** Called with errors that a function throws. */
  readonly onThrown: (error: unknown) => void;
};

export type Waiting = {
  readonly kind: 'overtaken' | 'stalled';
  /** Lets the process go on, and resolves when its work has ended or can go no further. */
  readonly goOn: () => Promise<unknown>;
};

type Limits = {
  /** How far its clock is ahead. */
  readonly skewMs: number;
  /** Whether it is given up so long only after its own time was over. */
  readonly endsInTime: boolean;
};

type Sent<T> = { readonly answer: T } | { readonly error: unknown } | null;

/** Steps that suffice for the others to do most of their work, within the time limit of a call. */
const turnsOfDelay = 8;

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** A process that keeps its memory until a fault ends it, or makes those who wait for it give up. */
export class FaultyProcess implements SimulatedProcess {
  /** Whether nobody waits for the process any more. */
  isGivenUp = false;
  readonly #givenUp: Promise<null>;
  readonly #onGivenUp: (nothing: null) => void;
  readonly #role: string;
  readonly #around: Surroundings;
  readonly #skewMs: number;
  readonly #endsInTime: boolean;
  #isDead = false;
  #isNewCall = true;
  #work: Promise<unknown> = Promise.resolve();
  /** Resolves when what waits goes on; null if nothing does. */
  #goesOn: Promise<void> | null = null;
  /** Called where the work can go no further: its process has ended, or waits. */
  #onHalted: () => void = () => undefined;

  constructor(role: string, around: Surroundings, { skewMs, endsInTime }: Limits) {
    ({ promise: this.#givenUp, resolve: this.#onGivenUp } = Promise.withResolvers<null>());
    this.#role = role;
    this.#around = around;
    this.#skewMs = skewMs;
    this.#endsInTime = endsInTime;
  }

  now(): Date {
    return new Date(this.#around.now().getTime() + this.#skewMs);
  }

  pause(): Promise<void> {
    return this.#around.pause();
  }

  /** Null where the work throws, or a fault ends the process amid it. */
  run<T>(work: () => Promise<T>): Promise<T | null> {
    this.#isNewCall = true;
    const working = inProcess(this, work).catch((error: unknown) => {
      this.#around.onThrown(error);
      return null;
    });
    this.#work = working;
    return Promise.race([working, this.#givenUp]);
  }

  async request<T>(command: string, input: object, send: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    const take = () => this.#around.taken(command, input, send);
    const begins = this.#isNewCall;
    this.#isNewCall = false;
    switch (this.#around.befalls(this.#role, command, begins)) {
      case undefined:
        return this.#answer(await this.#send(take));
      case 'refused':
        throw new StoreOutOfReach();
      case 'unanswered':
        await this.#send(take);
        throw new StoreOutOfReach();
      case 'repeated':
        await this.#send(take);
        return this.#answer(await this.#send(take));
      case 'cut_before':
        return this.#end();
      case 'cut_after':
        await this.#send(take);
        return this.#end();
      case 'delayed':
        for (let turns = 0; turns < turnsOfDelay && !this.#isDead; turns++) await this.#around.pause();
        return this.#answer(await this.#send(take));
      case 'overtaken':
        return this.#late('overtaken', take);
      case 'stalled':
        return this.#late('stalled', take);
    }
  }

  async #late<T>(kind: Waiting['kind'], take: () => Promise<T>): Promise<T> {
    await this.#wait(kind);
    const sent = await this.#send(take);
    return this.#endsInTime ? this.#end() : this.#answer(sent);
  }

  /** Null where the process has ended before it was its turn. */
  #send<T>(take: () => Promise<T>): Promise<Sent<T>> {
    return this.#around.inTurn(async () => {
      if (this.#isDead) return null;
      return take().then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
    });
  }

  #answer<T>(sent: Sent<T>): Promise<T> {
    if (this.#isDead || sent === null) return never();
    return 'error' in sent ? Promise.reject(sent.error) : Promise.resolve(sent.answer);
  }

  #end<T>(): Promise<T> {
    this.#isDead = true;
    this.#onHalted();
    this.#giveUp();
    return never();
  }

  #giveUp(): void {
    this.isGivenUp = true;
    this.#onGivenUp(null);
  }

  /** Requests of one process that wait at the same time go on together. */
  #wait(kind: Waiting['kind']): Promise<void> {
    if (this.#goesOn) return this.#goesOn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#goesOn = promise;
    const goOn = async () => {
      this.#goesOn = null;
      if (this.#isDead) return;
      const halted = new Promise<void>((onHalted) => {
        this.#onHalted = onHalted;
      });
      resolve();
      await Promise.race([this.#work, halted]);
    };
    this.#onHalted();
    this.#around.onWaiting({ kind, goOn });
    this.#giveUp();
    return promise;
  }
}
