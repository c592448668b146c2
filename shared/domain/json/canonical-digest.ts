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
