import canonicalize from 'canonicalize';
import { sha256 } from './open-delivery.ts';

/** SHA-256 of the canonical JSON (RFC 8785) of what a body says; its key is no part of that. */
export function canonicalDigest(body: Readonly<Record<string, unknown>>): string {
  const { source_event_key: _, ...content } = body;
  return sha256(canonicalText(content));
}

function canonicalText(content: unknown): string {
  try {
    return canonicalize(content) ?? '';
  } catch {
    // RFC 8785 has no form for a lone surrogate or an infinite number: such content is compared in the order it came.
    return JSON.stringify(content);
  }
}
