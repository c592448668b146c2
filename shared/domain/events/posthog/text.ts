import { Problem } from '../../../contract/problems.ts';
import { mediaTypeOf, type RawBody, readBody } from '../receive/read-body.ts';

const form = 'application/x-www-form-urlencoded';
const posthogBody = { mediaTypes: ['application/json', 'text/plain', form], sniffGzip: true };
const compressions = new Set(['gzip', 'gzip-js', 'base64']);

/** The JSON text of a body in any form that the SDKs send: plain, gzip, or the unload beacon's form of base64. */
export function readPosthogText(body: RawBody, query: Readonly<Record<string, string | undefined>>): string {
  requireCompression(query['compression']);
  const text = readBody(posthogBody, body);
  if (mediaTypeOf(body.contentType) !== form) return text;
  const fields = new URLSearchParams(text);
  const compression = query['compression'] ?? fields.get('compression') ?? undefined;
  requireCompression(compression);
  const data = fields.get('data') ?? '';
  const isBase64 = compression === 'base64' || !/^\s*[[{]/.test(data);
  return isBase64 ? decodeBase64(data) : data;
}

/** Not lz64, nor what else old SDKs knew. */
function requireCompression(name: string | undefined): void {
  if (name && !compressions.has(name)) throw new Problem('unsupported_content_encoding');
}

/** Form decoding has made a blank of each `+` that was not escaped. */
function decodeBase64(data: string): string {
  const bytes = Buffer.from(data.replaceAll(' ', '+'), 'base64');
  return new TextDecoder().decode(bytes);
}
