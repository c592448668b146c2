import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

export const sha256 = (content: string | Uint8Array): Buffer => hash('sha256', content, 'buffer');

/** SHA-256 of a value's JSON, which keeps its parts apart. The order of an object's keys counts. */
export const jsonDigest = (value: unknown): Buffer => sha256(JSON.stringify(value));

/** SHA-256 of a JSON value as canonical JSON, in base64url. */
export const canonicalDigest = (value: unknown): string => sha256(canonicalText(value)).toString('base64url');

/** Canonical JSON (RFC 8785): equal if only white space and the order of keys differ. */
export function canonicalText(value: unknown): string {
  try {
    return canonicalize(value) ?? '';
  } catch {
    // RFC 8785 has no form for a lone surrogate or an infinite number: such content is compared in the order it came.
    return JSON.stringify(value);
  }
}
