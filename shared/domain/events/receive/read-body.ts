import { isUtf8 } from 'node:buffer';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { announcedEncoding, type BodyHead, inflate, isInflated } from '../../base/request-body.ts';

export type RawBody = BodyHead & { readonly bytes: Uint8Array };

type TextRules = {
  readonly mediaTypes: readonly string[];
  /** Takes gzip also where no header announces it: posthog-js sends it as `text/plain`. */
  readonly sniffGzip: boolean;
};

/** The text of a body after the checks of C-ERROR-7: media type, encoding (415), size (413), gzip and UTF-8 (400). */
export function readBody({ mediaTypes, sniffGzip }: TextRules, { bytes: sent, ...head }: RawBody): string {
  const encoding = announcedEncoding({ mediaTypes, gzip: true }, head);
  const { bodyBytes } = limits.collection;
  if (sent.byteLength > bodyBytes) throw new Problem('body_too_large');
  const isGzip = (encoding === 'gzip' && !isInflated(sent)) || (sniffGzip && startsAsGzip(sent));
  const bytes = isGzip ? inflate(sent, bodyBytes) : sent;
  if (!isUtf8(bytes)) throw new Problem('invalid_json');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const startsAsGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
