import { pipeline, Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Problem } from '../../contract/problems.ts';

/** The head of a request's body as it was sent. */
export type BodyHead = {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
};

export type BodyRules = {
  readonly mediaTypes: readonly string[];
  /** Whether the body may be compressed. */
  readonly gzip: boolean;
};

/** The encoding that the bytes are announced in. 415 for another media type, character set or encoding. */
export function announcedEncoding(rules: BodyRules, { contentType, contentEncoding }: BodyHead): 'gzip' | null {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  const readable = charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
  if (!readable || !rules.mediaTypes.includes(mediaTypeOf(contentType))) throw new Problem('unsupported_media_type');
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return null;
  if (rules.gzip && (encoding === 'gzip' || encoding === 'x-gzip')) return 'gzip';
  throw new Problem('unsupported_content_encoding');
}

/** The media type without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1).join('').trim().toLowerCase();

/** The inflated bytes: 400 if gzip did not make these, 413 beyond the limit, where inflation stops. */
export function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: 64 * 1024 });
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Problem(tooLarge ? 'body_too_large' : 'invalid_compression');
  }
}

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
