import { hash } from 'node:crypto';
import { isJsonObject } from './json/read-json.ts';

export const sha256 = (content: string | Uint8Array): Buffer => hash('sha256', content, 'buffer');

/** SHA-256 of a value's JSON, which keeps its parts apart. The order of an object's keys counts. */
export const jsonDigest = (value: unknown): Buffer => sha256(JSON.stringify(value));

/** SHA-256 of a JSON value as canonical JSON, in base64url. */
export const canonicalDigest = (value: unknown): string => sha256(canonicalText(value)).toString('base64url');

/**
 * Canonical JSON (RFC 8785): equal if only white space and the order of keys differ. Lone surrogates are escaped, and
 * numbers that no double holds (`exactValue`) are decimals; that RFC has no form for either.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item) || 'null').join()}]`;
  if (!isJsonObject(value) || JSON.isRawJSON(value)) return JSON.stringify(value) ?? '';
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const text = canonicalText(value[key]);
    if (text !== '') members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}
