import type { SweepTask } from '../../../shared/contract/messages.ts';
import type { HttpHandler } from '../../../shared/runtime/http.ts';
import type { QueueHandler } from '../../../shared/runtime/queue.ts';
import { type Answer, callHandler, type Sent } from '../deployed-functions.ts';
import { MessageFeed } from './message-feed.ts';
import type { OtherServices } from './other-services.ts';
import { HeldQueues } from './queues.ts';
import type { Role } from './role.ts';
import type { ServiceRoles } from './roles.ts';
import { type RunPlan, RunProcesses } from './run-processes.ts';
import type { RunStores } from './run-stores.ts';
import { context } from './sqs-event.ts';

type HttpRole = keyof ServiceRoles['http'];
type WorkerRole = keyof ServiceRoles['workers'];
type OperatorPorts = ReturnType<ServiceRoles['operator']>;

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
/** Fewer turns, tries and sweeps than these end every run that can end. */
const [mostTurns, mostTries, mostSweeps] = [400, 6, 12];

/** What one run has to itself. */
type RunOwn = { readonly stores: RunStores; readonly others: OtherServices; readonly plan: RunPlan };

/**
 * The service in one process, over stores of this run's own. Each function is a simulated process that keeps its memory
 * from call to call until a fault ends it.
 */
export class FaultRun {
  readonly stores: RunStores;
  readonly others: OtherServices;
  /** Whether all processes tell the same time. */
  readonly hasOneClock: boolean;
  readonly #queues: HeldQueues;
  readonly #feed: MessageFeed;
  readonly #processes: RunProcesses;
  readonly #http: Readonly<Record<HttpRole, Role<HttpHandler>>>;
  readonly #workers: Readonly<Record<WorkerRole, Role<QueueHandler>>>;
  readonly #sweep: Role<ReturnType<ServiceRoles['sweep']>>;
  readonly #operator: Role<OperatorPorts>;
  readonly #passing = new Set<Promise<void>>();
  #time: number;

  constructor(service: ServiceRoles, { stores, others, plan }: RunOwn) {
    this.stores = stores;
    this.others = others;
    this.hasOneClock = plan.random === null;
    this.#time = stores.began;
    const now = () => this.now();
    this.#queues = new HeldQueues(stores.queues, now);
    this.#feed = new MessageFeed(this.#queues, plan.random, (queue, event) =>
      this.#workers[queue].call((handler) => handler(event, context)),
    );
    this.#processes = new RunProcesses(plan, {
      now,
      pause: () => this.#pause(),
      taken: (command, input, send) => this.#queues.answer(command, input) ?? others.answer(input) ?? send(),
    });
    const role = <F>(name: string, start: () => F) => this.#processes.role(name, stores.used(start));
    const roles = <F, N extends string>(starts: Readonly<Record<N, () => F>>) =>
      Object.fromEntries(Object.entries<() => F>(starts).map(([name, start]) => [name, role(name, start)])) as Readonly<
        Record<N, Role<F>>
      >;
    this.#http = roles(service.http);
    this.#workers = roles<QueueHandler, WorkerRole>(service.workers);
    this.#sweep = role('sweep', service.sweep);
    this.#operator = role('operator', service.operator);
  }

  /** The role and command of every request, in order. */
  get requests(): readonly string[] {
    return this.#processes.requests;
  }

  /** The first requests of function calls, by their numbers. */
  get callsBegin(): ReadonlySet<number> {
    return this.#processes.callsBegin;
  }

  /** The faults that befell requests. */
  get befallen(): readonly string[] {
    return this.#processes.befallen;
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
      const batch = this.#feed.next(this.now());
      if (batch.length > 0) await this.#feed.deliver(batch);
      // What passes time for a process that has ended works as well.
      else if (this.#passing.size > 0) await Promise.race(this.#passing);
      else if (this.#feed.nextShownAt !== null) this.#time = this.#feed.nextShownAt;
      else if (!(await this.#processes.goOn('overtaken'))) return;
    }
    throw new Error('the queues never become empty');
  }

  /** Works all that was sent to its end, with the sweep's help: time passes until it finds nothing to do. */
  async end(): Promise<void> {
    await this.settle();
    while (await this.#processes.goOn('stalled')) await this.settle();
    for (let sweeps = 0; sweeps < mostSweeps; sweeps++) {
      this.#time += 2 * hour;
      // Clocks that differ by minutes hide a delivery from the due sweep until its payload is archived.
      const wasArchived = await this.#swept('payloads');
      const wasLooked = await this.#swept('due');
      const isQuiet = this.#queues.messages.length === 0 && !this.#processes.areWaiting;
      // Checks are looked at each hour, for ever.
      const wasChecked = await this.#swept('checks');
      do await this.settle();
      while (await this.#processes.goOn('stalled'));
      if (wasArchived && wasLooked && isQuiet && wasChecked) return;
    }
    throw new Error('the sweep always finds something to do', { cause: this.#processes.thrown });
  }

  /** Lets days pass until the sweep does one of its tasks. */
  async sweep(task: SweepTask, days: number): Promise<void> {
    this.#time += days * day;
    await this.#untilDone(async () => (await this.#swept(task)) || null);
  }

  now(): Date {
    return new Date(this.#time);
  }

  /** No fault befalls what comes after. */
  disarm(): void {
    this.#processes.disarm();
  }

  async #untilDone<T>(attempt: () => Promise<T | null>): Promise<T> {
    for (let tries = 0; tries < mostTries; tries++) {
      const done = await attempt();
      if (done !== null) return done;
    }
    throw new Error('a request never succeeded', { cause: this.#processes.thrown });
  }

  /** False where a fault ended the sweep. */
  async #swept(task: SweepTask): Promise<boolean> {
    const swept = await this.#sweep.call(async (tasks) => {
      await tasks[task]({ now: new Date(this.#time), timeIsUp: () => false });
      return true;
    });
    return swept === true;
  }

  #pause(): Promise<void> {
    const passing = this.#passTime().finally(() => this.#passing.delete(passing));
    this.#passing.add(passing);
    return passing;
  }

  /** Others work while somebody waits for them; where nobody has anything to do, the sweep looks. */
  async #passTime(): Promise<void> {
    const batch = this.#feed.next(this.now());
    if (batch.length > 0) return this.#feed.deliver(batch);
    this.#time += minute;
    await this.#swept('due');
  }
}
