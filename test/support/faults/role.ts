import type { FaultyProcess } from './faulty-process.ts';

/** A function of the service: its processes do one call at a time, again and again until a fault ends them. */
export class Role<F> {
  readonly #name: string;
  readonly #start: () => F;
  readonly #newProcess: (role: string) => FaultyProcess;
  readonly #idle: { readonly process: FaultyProcess; readonly running: F }[] = [];

  constructor(name: string, start: () => F, newProcess: (role: string) => FaultyProcess) {
    this.#name = name;
    this.#start = start;
    this.#newProcess = newProcess;
  }

  /** Null where a fault ended the process or it threw: the caller gets no response. */
  async call<T>(work: (running: F) => Promise<T>): Promise<T | null> {
    const called = this.#idle.pop() ?? { process: this.#newProcess(this.#name), running: this.#start() };
    const done = await called.process.run(() => work(called.running));
    if (!called.process.isGivenUp) this.#idle.push(called);
    return done;
  }
}
