import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Problem } from '../contract/problems.ts';
import type { Body, JsonBody } from '../contract/route.ts';
import { duplicateKeyAt } from '../domain/openlineage/duplicate-keys.ts';
import type { HttpRequest } from './api-gateway.ts';

type Head = Pick<HttpRequest, 'headers'>;

/** Media type and encoding (415), and a readable length (400), from the headers alone; answers the encoding. */
export function checkBodyHead(body: Body, { headers }: Head): 'gzip' | null {
  requireJson(headers['content-type']);
  const encoding = encodingOf(body, headers['content-encoding']);
  requireLength(headers['content-length']);
  return encoding;
}

/** The JSON value of a body, inflated up to the limit (413), without duplicate keys (400). */
export async function readJson(
  { maxBytes, maxInflatedBytes = maxBytes }: Pick<JsonBody, 'maxBytes' | 'maxInflatedBytes'>,
  bytes: Uint8Array,
  encoding: 'gzip' | null,
): Promise<unknown> {
  checkSize({ maxBytes }, bytes);
  return parseJson(encoding === 'gzip' ? await inflated(bytes, maxInflatedBytes) : bytes);
}

/** 413 where the body as received exceeds the limit. */
export function checkSize({ maxBytes }: Pick<Body, 'maxBytes'>, bytes: Uint8Array): void {
  if (bytes.byteLength > maxBytes) throw new Problem('body_too_large');
}

/** The value of UTF-8 JSON in which no object has a key twice; 400 `invalid_json` of anything else. */
function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new Problem('invalid_json');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const value = parsed(text);
  if (duplicateKeyAt(text) !== null) throw new Problem('invalid_json');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: the parser's message quotes the text.
    throw new Problem('invalid_json');
  }
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const readable = charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset);
  if (type !== 'application/json' || !readable) throw new Problem('unsupported_media_type');
}

function encodingOf(body: Body, header: string | undefined): 'gzip' | null {
  const encoding = (header ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return null;
  if (body.kind === 'json' && body.gzip && (encoding === 'gzip' || encoding === 'x-gzip')) return 'gzip';
  throw new Problem('unsupported_content_encoding');
}

function requireLength(header: string | undefined): void {
  if (header !== undefined && !/^\d+$/.test(header)) throw new Problem('invalid_content_length');
}

const inflate = promisify(gunzip);

async function inflated(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    // Inflation stops at the limit, so that a bomb costs no more than an honest body.
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Problem(tooLarge ? 'body_too_large' : 'invalid_compression');
  }
}
