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

export const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
