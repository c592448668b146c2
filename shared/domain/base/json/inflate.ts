import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const chunkSize = 256 * 1024;

/** The bytes of which gzip made these, as they come. Throws an error that is `isCorrupt` where it made none. */
export async function* inflated(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip({ chunkSize });
  // Whoever reads on is told of an error: the callback would only say it again.
  pipeline(Readable.from(chunks), gunzip, () => undefined);
  yield* gunzip;
}

/** Whether an error is zlib’s about the bytes, and not one of their source. */
export const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/**
 * Whether bytes that were announced as gzip come inflated: API Gateway inflates a body on the way and may leave the
 * header. They begin as JSON does then, which no gzip does.
 */
export function isInflated(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).toString('utf8');
  return /^\uFEFF?\s*[{[]/.test(start);
}

/** Bytes, or text as UTF-8, that come in chunks, as one. */
export async function gathered(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const [only] = all;
  return only && all.length === 1 ? only : Buffer.concat(all);
}
