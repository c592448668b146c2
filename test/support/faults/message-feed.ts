import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { QueueName } from '../../../shared/contract/stack-outputs.ts';
import type { HeldMessage, HeldQueues } from './queues.ts';
import type { RunPlan } from './run-processes.ts';
import { sqsEvent } from './sqs-event.ts';

const minute = 60_000;
const messagesAtOnce = { events: 10, projection: 10, documents: 1, notifications: 10, codehost: 1 } as const;

/** Null where nobody answered. */
type Work = (queue: QueueName, event: SQSEvent) => Promise<SQSBatchResponse | null>;

/** Hands the messages of queues to their workers, in the order and as often as a plan chooses. */
export class MessageFeed {
  readonly #queues: HeldQueues;
  readonly #random: RunPlan['random'];
  readonly #work: Work;
  /** Messages that somebody works, by their ids. */
  readonly #inHand = new Set<string>();

  constructor(queues: HeldQueues, random: RunPlan['random'], work: Work) {
    this.#queues = queues;
    this.#random = random;
    this.#work = work;
  }

  /** What a worker is handed next, empty if nothing is shown. */
  next(now: Date): readonly HeldMessage[] {
    const messages = this.#waiting.filter(({ shownAt }) => shownAt <= now.getTime());
    const first = messages[this.#random?.(messages.length) ?? 0];
    if (first === undefined) return [];
    const others = messages.filter((one) => one !== first && one.queue === first.queue);
    return [first, ...others].slice(0, messagesAtOnce[first.queue]);
  }

  /** When the next message is shown, in milliseconds; null if none waits. */
  get nextShownAt(): number | null {
    const times = this.#waiting.map(({ shownAt }) => shownAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  async deliver(batch: readonly HeldMessage[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    for (const message of batch) {
      message.receipts++;
      this.#inHand.add(message.id);
    }
    const answer = await this.#work(first.queue, sqsEvent(batch));
    for (const { id } of batch) this.#inHand.delete(id);
    const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of batch) {
      const { id, receipts } = message;
      const comesAgain = receipts === 1 && this.#random?.(4) === 0;
      if (answer !== null && !failed.has(id) && !comesAgain) this.#queues.remove(id);
      // Once at once; what fails again and again waits longer and longer.
      else message.shownAt += (receipts - 1) * minute;
    }
  }

  get #waiting(): readonly HeldMessage[] {
    return this.#queues.messages.filter(({ id }) => !this.#inHand.has(id));
  }
}
