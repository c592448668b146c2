import { Buffer } from 'node:buffer';

/** Bytes of many small pieces: a string for each would cost a hundred times as much. */
export class ByteBuffer {
  #bytes = Buffer.alloc(4_096);
  length = 0;

  push(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const length = this.length + to - from;
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(length)]);
    // Most pieces have a few bytes, for which a view would cost more.
    if (to - from > 32) this.#bytes.set(bytes.subarray(from, to), this.length);
    else for (let at = from; at < to; at++) this.#bytes[this.length + at - from] = bytes[at] as number;
    this.length = length;
  }

  pushDigits(number: number): void {
    this.push(Buffer.from(String(number), 'latin1'));
  }

  /** What was pushed after this many bytes; it stays as it is until more is pushed. */
  since(length: number): Buffer {
    return this.#bytes.subarray(length, this.length);
  }
}

/** The key of `"key" :`; null if that is none. */
export function memberKey(member: Buffer): string | null {
  try {
    const key: unknown = JSON.parse(member.toString('utf8').trimEnd().slice(0, -1));
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}
