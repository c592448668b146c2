import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { SweepTask } from '../../../shared/contract/sweep-task.ts';
import type { HttpHandler } from '../../../shared/runtime/http.ts';
import type { QueueHandler } from '../../../shared/runtime/queue.ts';
import { type Answer, callHandler, type Sent } from '../deployed-functions.ts';
import type { randomFrom } from '../fuzz/mutate.ts';
import type { FaultKind } from './fault.ts';
import { FaultyProcess, Role, type Surroundings, type Waiting } from './faulty-process.ts';
import { type HeldMessage, HeldQueues } from './queues.ts';
import type { ServiceRoles } from './roles.ts';
import type { RunStores } from './run-stores.ts';
import { context, sqsEvent } from './sqs-event.ts';

type HttpRole = keyof ServiceRoles['http'];
type WorkerRole = keyof ServiceRoles['workers'];
type OperatorPorts = ReturnType<ServiceRoles['operator']>;

export type RunPlan = {
  /** By the number of the request that it befalls, counted from 0. */
  readonly faults: ReadonlyMap<number, FaultKind>;
  /** Chooses the order of messages, which of them come twice, and the clocks of processes; null: none of that. */
  readonly random: ReturnType<typeof randomFrom> | null;
};

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
/** Fewer turns, tries and sweeps than these end every run that can end. */
const [mostTurns, mostTries, mostSweeps] = [400, 6, 12];
const messagesAtOnce = { events: 10, projection: 10, documents: 1, notifications: 10, codehost: 1 } as const;

/**
 * The service in one process, over stores of this run's own. Each function is a simulated process that keeps its memory
 * from call to call until a fault ends it. All requests to the stores go one at a time, so that the same plan meets the
 * same requests.
 */
export class FaultRun {
  readonly stores: RunStores;
  /** The role and command of every request, in order. */
  readonly requests: string[] = [];
  readonly befallen: string[] = [];
  readonly #plan: RunPlan;
  readonly #queues: HeldQueues;
  readonly #http: Readonly<Record<HttpRole, Role<HttpHandler>>>;
  readonly #workers: Readonly<Record<WorkerRole, Role<QueueHandler>>>;
  readonly #sweep: Role<ReturnType<ServiceRoles['sweep']>>;
  readonly #operator: Role<OperatorPorts>;
  /** Messages that somebody works, by their ids. */
  readonly #inHand = new Set<string>();
  readonly #passing = new Set<Promise<void>>();
  #waiting: readonly Waiting[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #time: number;
  #isArmed = true;
  #thrown: unknown = null;

  constructor(stores: RunStores, service: ServiceRoles, plan: RunPlan) {
    this.stores = stores;
    this.#plan = plan;
    this.#queues = new HeldQueues(stores.queues);
    this.#time = stores.began;
    const role = <F>(name: string, start: () => F) => new Role(name, stores.used(start), (one) => this.#process(one));
    const roles = <F, N extends string>(starts: Readonly<Record<N, () => F>>) =>
      Object.fromEntries(Object.entries<() => F>(starts).map(([name, start]) => [name, role(name, start)])) as Readonly<
        Record<N, Role<F>>
      >;
    this.#http = roles(service.http);
    this.#workers = roles<QueueHandler, WorkerRole>(service.workers);
    this.#sweep = role('sweep', service.sweep);
    this.#operator = role('operator', service.operator);
  }

  /** Sends a request until it is answered otherwise than by a failure, as a client does that wants it accepted. */
  ask(role: HttpRole, sent: Sent): Promise<Answer> {
    this.#time += second;
    return this.#untilDone(async () => {
      const answer = await this.#http[role].call((handler) => callHandler(handler, sent));
      if (answer?.status === 429) this.#time += Number(answer.headers['retry-after']) * second;
      return answer === null || answer.status >= 500 || answer.status === 429 ? null : answer;
    });
  }

  /** What an operator does, until it is done. */
  operate<T>(work: (ports: OperatorPorts) => Promise<T>): Promise<T> {
    this.#time += second;
    return this.#untilDone(() => this.#operator.call(work));
  }

  /** Works the queues until they are empty. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < mostTurns; turns++) {
      const batch = this.#nextBatch();
      if (batch.length > 0) await this.#deliver(batch);
      // What passes time for a process that has ended works as well.
      else if (this.#passing.size > 0) await Promise.race(this.#passing);
      else if (!(await this.#goOn('overtaken'))) return;
    }
    throw new Error('the queues never become empty');
  }

  /** Works all that was sent to its end, with the sweep's help: time passes until it finds nothing to do. */
  async end(): Promise<void> {
    await this.settle();
    while (await this.#goOn('stalled')) await this.settle();
    for (let sweeps = 0; sweeps < mostSweeps; sweeps++) {
      this.#time += 2 * hour;
      // Clocks that differ by minutes hide a delivery from the sweep of what is due, until its payload is archived.
      const wasArchived = await this.#swept('payloads');
      const wasLooked = await this.#swept('due');
      const isQuiet = this.#queues.messages.length + this.#waiting.length === 0;
      // Checks are looked at each hour, for ever.
      const wasChecked = await this.#swept('checks');
      do await this.settle();
      while (await this.#goOn('stalled'));
      if (wasArchived && wasLooked && isQuiet && wasChecked) return;
    }
    throw new Error('the sweep always finds something to do');
  }

  /** Lets days pass until the sweep does one of its tasks. */
  async sweep(task: SweepTask, days: number): Promise<void> {
    this.#time += days * day;
    await this.#untilDone(async () => (await this.#swept(task)) || null);
  }

  now(): Date {
    return new Date(this.#time);
  }

  get hasOneClock(): boolean {
    return this.#plan.random === null;
  }

  /** No fault befalls what comes after. */
  disarm(): void {
    this.#isArmed = false;
  }

  async #untilDone<T>(attempt: () => Promise<T | null>): Promise<T> {
    for (let tries = 0; tries < mostTries; tries++) {
      const done = await attempt();
      if (done !== null) return done;
    }
    throw new Error('a request never succeeded', { cause: this.#thrown });
  }

  /** False where a fault ended the sweep. */
  async #swept(task: SweepTask): Promise<boolean> {
    const swept = await this.#sweep.call(async (tasks) => {
      await tasks[task]({ now: new Date(this.#time), timeIsUp: () => false });
      return true;
    });
    return swept === true;
  }

  #nextBatch(): readonly HeldMessage[] {
    const messages = this.#queues.messages.filter(({ id }) => !this.#inHand.has(id));
    const first = messages[this.#plan.random?.(messages.length) ?? 0];
    if (first === undefined) return [];
    const others = messages.filter((one) => one !== first && one.queue === first.queue);
    return [first, ...others].slice(0, messagesAtOnce[first.queue]);
  }

  async #deliver(batch: readonly HeldMessage[]): Promise<void> {
    for (const message of batch) {
      message.receipts++;
      this.#inHand.add(message.id);
    }
    const answer = await this.#worked(batch[0]?.queue, sqsEvent(batch));
    for (const { id } of batch) this.#inHand.delete(id);
    const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { id, receipts } of batch) {
      const comesAgain = receipts === 1 && this.#plan.random?.(4) === 0;
      if (answer !== null && !failed.has(id) && !comesAgain) this.#queues.remove(id);
    }
  }

  #pause(): Promise<void> {
    const passing = this.#passTime().finally(() => this.#passing.delete(passing));
    this.#passing.add(passing);
    return passing;
  }

  /** Others work while somebody waits for them; where nobody has anything to do, the sweep looks. */
  async #passTime(): Promise<void> {
    const batch = this.#nextBatch();
    if (batch.length > 0) return this.#deliver(batch);
    this.#time += minute;
    await this.#swept('due');
  }

  #worked(queue: HeldMessage['queue'] | undefined, event: SQSEvent): Promise<SQSBatchResponse | null> {
    switch (queue) {
      case 'events':
      case 'projection':
      case 'documents':
        return this.#workers[queue].call((handler) => handler(event, context));
      default:
        return Promise.resolve({ batchItemFailures: [] });
    }
  }

  async #goOn(kind: Waiting['kind']): Promise<boolean> {
    const waiting = this.#waiting.filter((one) => one.kind === kind);
    this.#waiting = this.#waiting.filter((one) => one.kind !== kind);
    for (const one of waiting) await one.goOn();
    return waiting.length > 0;
  }

  #process(role: string): FaultyProcess {
    const skewMs = this.#plan.random ? this.#plan.random(20 * 60) * second - 10 * minute : 0;
    const around: Surroundings = {
      now: () => this.now(),
      befalls: (of, command) => this.#befalls(of, command),
      inTurn: (send) => this.#inTurn(send),
      pause: () => this.#pause(),
      taken: (command, input, send) => this.#queues.answer(command, input) ?? send(),
      onWaiting: (one) => {
        this.#waiting = [...this.#waiting, one];
      },
      onThrown: (error) => {
        this.#thrown = error;
      },
    };
    return new FaultyProcess(role, around, skewMs);
  }

  #befalls(role: string, command: string): FaultKind | undefined {
    const number = this.requests.push(`${role} ${command}`) - 1;
    const fault = this.#isArmed ? this.#plan.faults.get(number) : undefined;
    if (fault) this.befallen.push(`${fault} ${number} ${role} ${command}`);
    return fault;
  }

  #inTurn<T>(send: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(send);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
