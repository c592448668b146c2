import type { QueueName } from '../../../shared/contract/stack-outputs.ts';

type Sent = { readonly QueueUrl?: string; readonly MessageBody?: string; readonly Entries?: readonly Entry[] };
type Entry = { readonly Id?: string; readonly MessageBody?: string };

export type HeldMessage = {
  readonly id: string;
  readonly queue: QueueName;
  readonly body: string;
  /** How often it was handed out. */
  receipts: number;
};

/**
 * The queues of one run. They hand messages out in the order that the run chooses, and again as often as it wants, as
 * SQS may at its worst; no delay is waited for.
 */
export class HeldQueues {
  readonly messages: HeldMessage[] = [];
  readonly #urls: ReadonlyMap<string, QueueName>;
  #sent = 0;

  constructor(urls: ReadonlyMap<string, QueueName>) {
    this.#urls = urls;
  }

  /** What middleware of the SDK is answered to a command; null of a command that is no queue's. */
  answer<T>(command: string, { QueueUrl, MessageBody, Entries = [] }: Sent): Promise<T> | null {
    const answered = (output: object) => Promise.resolve({ output: { ...output, $metadata: {} }, response: {} } as T);
    switch (command) {
      case 'SendMessageCommand':
        return answered(this.#send(QueueUrl, MessageBody));
      case 'SendMessageBatchCommand':
        for (const entry of Entries) this.#send(QueueUrl, entry.MessageBody);
        return answered({ Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] });
      case 'ChangeMessageVisibilityBatchCommand':
        return answered({ Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] });
      default:
        return null;
    }
  }

  #send(url = '', body = '') {
    const queue = this.#urls.get(url);
    if (queue === undefined) throw new Error(`nobody has the queue of ${body}`);
    const id = `message-${this.#sent++}`;
    this.messages.push({ id, queue, body, receipts: 0 });
    return { MessageId: id };
  }

  remove(id: string): void {
    const at = this.messages.findIndex((message) => message.id === id);
    if (at >= 0) this.messages.splice(at, 1);
  }
}
