import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';

export const awsLimits = {
  body: 10 * 1024 * 1024,
  /** Of an event or an answer as JSON: a body in it is base64. */
  payload: 6_291_456,
  streamed: 200 * 1024 * 1024,
} as const;

/** The body that reaches the integration: inflated where the request says that it is gzip, whose header stays. */
export function inflateForIntegration(headers: IncomingHttpHeaders, body: Buffer): Buffer | 'malformed' | 'too_large' {
  if (headers['content-encoding']?.trim().toLowerCase() !== 'gzip') return body;
  try {
    return gunzipSync(body, { maxOutputLength: awsLimits.body });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? 'too_large' : 'malformed';
  }
}

export const exceedsPayload = (value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value) ?? '') > awsLimits.payload;

const remappedHeaders = new Set(['connection', 'content-md5', 'date', 'max-forwards', 'server', 'www-authenticate']);

/** The name under which a header of an answer arrives: API Gateway keeps some for itself. */
export const remappedHeader = (name: string): string =>
  remappedHeaders.has(name.toLowerCase()) ? `x-amzn-remapped-${name}` : name;
