import { Container, type FunctionDefinition, InvocationFailure, type Sink } from './container.ts';

export type Capacity = {
  readonly containers: number;
  /** Lambda gives a container one event at a time. */
  readonly eventsPerContainer: number;
  readonly maxWaiting: number;
  /** How long an event occupies its container before another one is started for what comes next. */
  readonly busyAfterMs: number;
  /** How long a container waits for an event before it ends, as Lambda's do. */
  readonly idleMs: number;
};

type Run = { readonly since: number };
type Slots = { readonly container: Container; readonly running: Set<Run>; ending?: NodeJS.Timeout };
type Waiting = { readonly run: Run; readonly proceed: (slots: Slots) => void };

export class LocalFunction {
  readonly #definition: FunctionDefinition;
  readonly #capacity: Capacity;
  readonly #started: Slots[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(definition: FunctionDefinition, capacity: Capacity) {
    this.#definition = definition;
    this.#capacity = capacity;
  }

  get name(): string {
    return this.#definition.name;
  }

  get allowsRecursion(): boolean {
    return this.#definition.allowsRecursion;
  }

  warm(): void {
    const slots = this.#started[0] ?? this.#start();
    slots.container.warm();
    if (slots.running.size === 0) this.#endWhenIdle(slots);
  }

  /** Its time begins when it has its turn. Throws InvocationFailure, also if too many wait. */
  async invoke(event: unknown, sink: Sink | null = null, trace: string | null = null): Promise<unknown> {
    const run = { since: performance.now() };
    const slots = this.#take(run) ?? (await this.#turn(run));
    try {
      return await slots.container.invoke(event, sink, trace);
    } finally {
      this.#giveBack(slots, run);
    }
  }

  /** Lets the next invocations start from the bundle as it is then. */
  async restart(): Promise<void> {
    await Promise.all(this.#started.map(({ container }) => container.restart()));
  }

  #take(run: Run): Slots | null {
    const { containers, eventsPerContainer, busyAfterMs } = this.#capacity;
    // What a long event delays goes elsewhere: to the container whose oldest event is the newest.
    const free = this.#started.filter(({ running }) => running.size < eventsPerContainer);
    const found = free.toSorted((a, b) => sinceOf(b) - sinceOf(a))[0];
    const isBusy = found === undefined || run.since - sinceOf(found) >= busyAfterMs;
    const slots = isBusy && this.#started.length < containers ? this.#start() : found;
    if (slots === undefined) return null;
    clearTimeout(slots.ending);
    slots.running.add(run);
    return slots;
  }

  #start(): Slots {
    const slots = { container: new Container(this.#definition), running: new Set<Run>() };
    this.#started.push(slots);
    return slots;
  }

  #turn(run: Run): Promise<Slots> {
    if (this.#waiting.length >= this.#capacity.maxWaiting)
      throw new InvocationFailure('busy', `${this.#definition.name}: too many invocations wait`);
    return new Promise((proceed) => this.#waiting.push({ run, proceed }));
  }

  #giveBack(slots: Slots, run: Run): void {
    slots.running.delete(run);
    const next = this.#waiting.shift();
    if (next) {
      slots.running.add(next.run);
      next.proceed(slots);
    } else if (slots.running.size === 0) this.#endWhenIdle(slots);
  }

  #endWhenIdle(slots: Slots): void {
    clearTimeout(slots.ending);
    slots.ending = setTimeout(() => {
      this.#started.splice(this.#started.indexOf(slots), 1);
      void slots.container.restart();
    }, this.#capacity.idleMs).unref();
  }
}

/** When the oldest event of a container began. An idle one comes before all that have events. */
const sinceOf = ({ running }: Slots): number => {
  const [oldest] = running;
  return oldest?.since ?? Number.MAX_VALUE;
};
