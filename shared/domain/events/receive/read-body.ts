import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { isInflated } from '../../base/json/duplicate-keys.ts';

export type RawBody = {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly bytes: Uint8Array;
};

type BodyRules = {
  readonly mediaTypes: readonly string[];
  /** Takes gzip also where no header announces it: posthog-js sends it as `text/plain`. */
  readonly sniffGzip: boolean;
};

/** The text of a body after the checks of C-ERROR-7: media type, encoding (415), size (413), gzip and UTF-8 (400). */
export function readBody(rules: BodyRules, body: RawBody): string {
  requireMediaType(rules, body.contentType);
  const announced = isGzipEncoding(body.contentEncoding) && !isInflated(body.bytes);
  requireSize(body.bytes);
  const bytes = announced || (rules.sniffGzip && startsAsGzip(body.bytes)) ? inflate(body.bytes) : body.bytes;
  if (!isUtf8(bytes)) throw new Problem('invalid_json');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The media type without its parameters, in lower case. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1).join('').trim().toLowerCase();

function requireMediaType(rules: BodyRules, contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  const readable = charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
  if (!readable || !rules.mediaTypes.includes(mediaTypeOf(contentType))) throw new Problem('unsupported_media_type');
}

function isGzipEncoding(header: string | undefined): boolean {
  const encoding = (header ?? '').trim().toLowerCase();
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  if (encoding === '' || encoding === 'identity') return false;
  throw new Problem('unsupported_content_encoding');
}

function requireSize(bytes: Uint8Array): void {
  if (bytes.byteLength > limits.collection.bodyBytes) throw new Problem('body_too_large');
}

const startsAsGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    // Inflation stops at the limit, so that a bomb costs no more than an honest body.
    return gunzipSync(bytes, { maxOutputLength: limits.collection.bodyBytes, chunkSize: 64 * 1024 });
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Problem(tooLarge ? 'body_too_large' : 'invalid_compression');
  }
}
