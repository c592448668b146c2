import { randomUUID } from 'node:crypto';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { FromThread, ResponseHead, ThreadData, ToThread } from './messages.ts';

export type FunctionDefinition = ThreadData & {
  readonly resourceLimits: ResourceLimits;
  readonly timeoutMs: number;
  readonly allowsRecursion: boolean;
  readonly environment: Readonly<Record<string, string>>;
};

/** Takes a streamed reply; `chunk` answers when it may be sent more, false where nobody reads any longer. */
export type Sink = {
  readonly head: (head: ResponseHead) => void;
  readonly chunk: (bytes: Uint8Array) => Promise<boolean>;
};

export class InvocationFailure extends Error {
  readonly reason: 'timeout' | 'crash' | 'busy';

  constructor(reason: InvocationFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

type Pending = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: InvocationFailure) => void;
  readonly timer: NodeJS.Timeout;
  readonly sink: Sink | null;
};

export class Container {
  readonly #definition: FunctionDefinition;
  readonly #pending = new Map<string, Pending>();
  #thread: Worker | null = null;

  constructor(definition: FunctionDefinition) {
    this.#definition = definition;
  }

  warm(): void {
    this.#running();
  }

  /** @throws InvocationFailure where the handler throws, its thread dies, or its time is up. */
  invoke(event: unknown, sink: Sink | null, trace: string | null): Promise<unknown> {
    const id = randomUUID();
    const { timeoutMs } = this.#definition;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#timeOut(id), timeoutMs);
      this.#pending.set(id, { resolve, reject, timer, sink });
      this.#say({ kind: 'invoke', id, event, deadline: Date.now() + timeoutMs, trace });
    });
  }

  /** Lets the next invocation start from the bundle as it is then. */
  async restart(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#failAll('crash', 'was stopped');
    await thread?.terminate();
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const { environment, file, name, arn, memoryMiB, resourceLimits } = this.#definition;
    const workerData: ThreadData = { file, name, arn, memoryMiB };
    const thread = new Worker(new URL('./function-thread.ts', import.meta.url), {
      env: { ...environment },
      workerData,
      name,
      // Beyond its memory the thread ends, and nothing else with it.
      resourceLimits,
    });
    thread.on('message', (message: FromThread) => this.#receive(message));
    thread.on('error', (error) => this.#died(thread, error instanceof Error ? (error.stack ?? error.message) : ''));
    thread.on('exit', () => this.#died(thread, 'its thread ended'));
    this.#thread = thread;
    return thread;
  }

  #say(message: ToThread): void {
    this.#running().postMessage(message);
  }

  #receive(message: FromThread): void {
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    if (message.kind === 'head') pending.sink?.head(message.head);
    else if (message.kind === 'chunk') void this.#pass(message.id, message.chunk, pending.sink);
    else if (message.kind === 'done') this.#settle(message.id)?.resolve(message.result);
    else this.#settle(message.id)?.reject(this.#failure('crash', message.error));
  }

  async #pass(id: string, chunk: Uint8Array, sink: Sink | null): Promise<void> {
    const read = (await sink?.chunk(chunk)) ?? true;
    if (this.#pending.has(id)) this.#say({ kind: 'taken', id, gone: !read });
  }

  #timeOut(id: string): void {
    this.#settle(id)?.reject(this.#failure('timeout', `took longer than ${this.#definition.timeoutMs} ms`));
    // What it was doing cannot be stopped in any other way.
    void this.restart();
  }

  #died(thread: Worker, why: string): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#failAll('crash', why);
  }

  #failAll(reason: InvocationFailure['reason'], why: string): void {
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(this.#failure(reason, why));
  }

  #failure(reason: InvocationFailure['reason'], why: string): InvocationFailure {
    return new InvocationFailure(reason, `${this.#definition.name}: ${why}`);
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }
}
