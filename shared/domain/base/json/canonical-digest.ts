import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** SHA-256 of a JSON value as canonical JSON (RFC 8785). */
export function canonicalDigest(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('base64url');
}

function canonicalText(value: unknown): string {
  try {
    return canonicalize(value) ?? '';
  } catch {
    // RFC 8785 has no form for a lone surrogate or an infinite number: such content is compared in the order it came.
    return JSON.stringify(value);
  }
}

/** SHA-256 (32 bytes) of a value's JSON, which keeps its parts apart. The keys of an object count in their order. */
export const jsonDigest = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();
