import type { QueueName } from '../../../shared/contract/stack-outputs.ts';

type Entry = { readonly Id?: string; readonly MessageBody?: string; readonly DelaySeconds?: number };
type Sent = Entry & { readonly QueueUrl?: string; readonly Entries?: readonly Entry[] };

export type HeldMessage = {
  readonly id: string;
  readonly queue: QueueName;
  readonly body: string;
  /** How often it was handed out. */
  receipts: number;
  /** The earliest delivery time, in milliseconds. */
  shownAt: number;
};

/**
 * The queues of one run. They hand messages out in the order that the run chooses, and again as often as it wants, as
 * SQS may at its worst, and none before its delay is over.
 */
export class HeldQueues {
  readonly messages: HeldMessage[] = [];
  readonly #urls: ReadonlyMap<string, QueueName>;
  readonly #now: () => Date;
  #sent = 0;

  constructor(urls: ReadonlyMap<string, QueueName>, now: () => Date) {
    this.#urls = urls;
    this.#now = now;
  }

  /** What middleware of the SDK is answered to a command; null of a command that is no queue's. */
  answer<T>(command: string, { QueueUrl, Entries = [], ...entry }: Sent): Promise<T> | null {
    const answered = (output: object) => Promise.resolve({ output: { ...output, $metadata: {} }, response: {} } as T);
    switch (command) {
      case 'SendMessageCommand':
        return answered(this.#send(QueueUrl, entry));
      case 'SendMessageBatchCommand':
        for (const one of Entries) this.#send(QueueUrl, one);
        return answered({ Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] });
      case 'ChangeMessageVisibilityBatchCommand':
        return answered({ Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] });
      default:
        return null;
    }
  }

  #send(url = '', { MessageBody: body = '', DelaySeconds = 0 }: Entry) {
    const queue = this.#urls.get(url);
    if (queue === undefined) throw new Error(`nobody has the queue of ${body}`);
    const id = `message-${this.#sent++}`;
    this.messages.push({ id, queue, body, receipts: 0, shownAt: this.#now().getTime() + DelaySeconds * 1_000 });
    return { MessageId: id };
  }

  remove(id: string): void {
    const at = this.messages.findIndex((message) => message.id === id);
    if (at >= 0) this.messages.splice(at, 1);
  }
}
