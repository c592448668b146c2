import { Container, type FunctionDefinition, InvocationFailure, type Sink } from './container.ts';

export type Capacity = {
  readonly containers: number;
  /** Lambda gives a container one event at a time. */
  readonly eventsPerContainer: number;
  readonly maxWaiting: number;
};

type Slots = { readonly container: Container; taken: number };

export class LocalFunction {
  readonly #definition: FunctionDefinition;
  readonly #capacity: Capacity;
  readonly #started: Slots[] = [];
  readonly #waiting: ((slots: Slots) => void)[] = [];

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
    (this.#started[0] ?? this.#start()).container.warm();
  }

  /** Its time begins when it has its turn. Throws InvocationFailure, also if too many wait. */
  async invoke(event: unknown, sink: Sink | null = null, trace: string | null = null): Promise<unknown> {
    const slots = this.#take() ?? (await this.#turn());
    try {
      return await slots.container.invoke(event, sink, trace);
    } finally {
      this.#giveBack(slots);
    }
  }

  /** Lets the next invocations start from the bundle as it is then. */
  async restart(): Promise<void> {
    await Promise.all(this.#started.map(({ container }) => container.restart()));
  }

  #take(): Slots | null {
    const { containers, eventsPerContainer } = this.#capacity;
    const idlest = this.#started.toSorted((a, b) => a.taken - b.taken)[0];
    const isFurther = this.#started.length < containers && idlest?.taken !== 0;
    const slots = isFurther ? this.#start() : idlest;
    if (slots === undefined || slots.taken >= eventsPerContainer) return null;
    slots.taken++;
    return slots;
  }

  #start(): Slots {
    const slots = { container: new Container(this.#definition), taken: 0 };
    this.#started.push(slots);
    return slots;
  }

  #turn(): Promise<Slots> {
    if (this.#waiting.length >= this.#capacity.maxWaiting)
      throw new InvocationFailure('busy', `${this.#definition.name}: too many invocations wait`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(slots: Slots): void {
    const next = this.#waiting.shift();
    if (next) next(slots);
    else slots.taken--;
  }
}
