import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Fault } from '../../shared/contract/fault.ts';
import type { FromThread, ResponseHead } from './messages.ts';

/** A streamed reply: one chunk at a time, the next when the reader has taken it. */
export class ResponseStream extends Writable {
  readonly ended: Promise<void>;
  readonly #id: string;
  readonly #send: (message: FromThread) => void;
  #next: ((error?: Error) => void) | null = null;
  #headSent = false;

  constructor(id: string, send: (message: FromThread) => void) {
    super({ highWaterMark: 256 * 1024 });
    this.#id = id;
    this.#send = send;
    this.ended = finished(this);
    this.ended.catch(() => undefined); // Awaited by the invocation too, which reports it.
  }

  sendHead(head: ResponseHead): void {
    if (this.#headSent) return;
    this.#headSent = true;
    this.#send({ kind: 'head', id: this.#id, head });
  }

  /** The AWS runtime has this in addition to the stream's own methods. */
  setContentType(type: string): void {
    this.sendHead({ statusCode: 200, headers: { 'content-type': type } });
  }

  taken(gone: boolean): void {
    const next = this.#next;
    this.#next = null;
    if (gone) this.destroy(new Fault('stream_reader_gone', 'The reader of the streamed reply has gone.'));
    else next?.();
  }

  override _writev(chunks: { chunk: Buffer }[], next: (error?: Error) => void): void {
    this.sendHead({});
    this.#next = next;
    this.#send({ kind: 'chunk', id: this.#id, chunk: Buffer.concat(chunks.map(({ chunk }) => chunk)) });
  }

  override _final(done: () => void): void {
    this.sendHead({});
    done();
  }
}
