import type { IncomingMessage } from 'node:http';

export type BodyLimits = { readonly maxBytes: number; readonly timeoutMs: number };
type ReadBody = Buffer | 'too_large' | 'timeout' | 'aborted';

/** Reads a request's body within bounds of size and time; a refused rest is not waited for. */
export function readBody(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: ReadBody): void => {
      clearTimeout(timer);
      request.off('data', take);
      if (!Buffer.isBuffer(outcome)) request.resume();
      resolve(outcome);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) settle('too_large');
      else chunks.push(chunk);
    };
    const timer = setTimeout(() => settle('timeout'), timeoutMs);
    request.on('data', take);
    request.once('end', () => settle(Buffer.concat(chunks, size)));
    request.once('error', () => settle('aborted'));
    request.once('close', () => settle('aborted'));
  });
}
