import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Problem } from '../../contract/problems.ts';
import type { Body } from '../../contract/route.ts';

export type RawBody = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Checks the media type and the encoding (415) by the headers. Returns the encoding that the bytes have. */
export function checkBodyHead(body: Body, { headers, bytes }: RawBody): 'gzip' | null {
  requireMediaType(body, headers['content-type']);
  const encoding = encodingOf(body, headers['content-encoding']);
  return encoding === 'gzip' && !startsAsGzip(bytes) && isInflated(bytes) ? null : encoding && 'gzip';
}

/** Throws 413 if the body as received exceeds the limit. */
export function checkSize({ maxBytes }: Pick<Body, 'maxBytes'>, bytes: Uint8Array): void {
  if (bytes.byteLength > maxBytes) throw new Problem('body_too_large');
}

/** The text of a body after all checks: media type, encoding (415), size (413), gzip and UTF-8 (400). */
export function readText(body: Body, raw: RawBody, { detectGzip = false } = {}): string {
  const encoding = checkBodyHead(body, raw);
  checkSize(body, raw.bytes);
  if (detectGzip) return readBytes(raw.bytes, body, encoding === 'gzip');
  return textOf(encoding === 'gzip' ? inflate(raw.bytes, body.maxBytes) : raw.bytes);
}

/** The text of bytes that may be gzip, without a byte order mark, which some editors and serializers of .NET write. */
export function readBytes(sent: Uint8Array, { maxBytes }: Pick<Body, 'maxBytes'>, isGzip = startsAsGzip(sent)): string {
  return textOf(isGzip || startsAsGzip(sent) ? inflate(sent, maxBytes) : sent).replace(/^\uFEFF/, '');
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', { errors: [{ path: '', message: 'must be UTF-8' }] });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1).join('').trim().toLowerCase();

function requireMediaType(body: Body, contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  const isReadable = charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
  const type = mediaTypeOf(contentType);
  const isExpected =
    type === 'application/json' || (body.kind === 'bytes' && Object.hasOwn(body.otherForms ?? {}, type));
  if (!isReadable || !isExpected) throw new Problem('unsupported_media_type');
}

function encodingOf({ gzip }: Body, header: string | undefined): 'gzip' | 'x-gzip' | null {
  const encoding = (header ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return null;
  if (gzip && (encoding === 'gzip' || encoding === 'x-gzip')) return encoding;
  throw new Problem('unsupported_content_encoding');
}

function isInflated(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).toString('utf8');
  return /^\uFEFF?\s*[{[]/.test(start);
}

const startsAsGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The bytes of a gzip body: 400 if it is corrupt, 413 if it has more than `maxBytes`. */
export function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    // Inflation stops at the limit, so that a bomb costs no more than an honest body.
    return gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: 64 * 1_024 });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Problem(isTooLarge ? 'body_too_large' : 'invalid_compression');
  }
}

/** As `inflate`, for a body that is read in chunks. */
export async function* inflateChunks(chunks: Chunks, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  try {
    for await (const chunk of inflated(chunks)) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new Problem('body_too_large');
      yield chunk;
    }
  } catch (error) {
    throw isCorrupt(error) ? new Problem('invalid_compression') : error;
  }
}

/** Inflates gzip in chunks. Throws an error that `isCorrupt` recognizes if the bytes are not gzip. */
export async function* inflated(chunks: Chunks): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip({ chunkSize: 256 * 1_024 });
  // The reader of the chunks gets the error: the callback would only repeat it.
  pipeline(Readable.from(chunks), gunzip, () => undefined);
  yield* gunzip;
}

/** Whether zlib threw the error because of the bytes, and not their source. */
export const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** Bytes, or text as UTF-8, that come in chunks, as one. */
export async function gathered(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const [only] = all;
  return only && all.length === 1 ? only : Buffer.concat(all);
}
