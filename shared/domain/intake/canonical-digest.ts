import { createHash, type Hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256 } from './open-delivery.ts';

/** A document's nodes or models lie so deep in the body: each is made canonical by itself, never the whole at once. */
const levelsInParts = 3;

/** SHA-256 of the canonical JSON (RFC 8785) of what a body says; its key is no part of that. */
export function canonicalDigest(body: Readonly<Record<string, unknown>>): string {
  const { source_event_key: _, ...content } = body;
  try {
    const hash = createHash('sha256');
    addCanonical(hash, content, levelsInParts);
    return hash.digest('base64url');
  } catch {
    // RFC 8785 has no form for a lone surrogate or an infinite number: such content is compared in the order it came.
    return sha256(JSON.stringify(content));
  }
}

function addCanonical(hash: Hash, value: unknown, levels: number): void {
  if (levels === 0 || typeof value !== 'object' || value === null) hash.update(canonicalize(value) ?? '');
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      hash.update(index === 0 ? '[' : ',');
      addCanonical(hash, item, levels - 1);
    }
    hash.update(value.length === 0 ? '[]' : ']');
  } else addMembers(hash, Object.entries(value), levels);
}

function addMembers(hash: Hash, all: readonly [string, unknown][], levels: number): void {
  const members = all.filter(([, value]) => value !== undefined);
  // By UTF-16 code units, as RFC 8785 sorts.
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [key, value]] of members.entries()) {
    hash.update(`${index === 0 ? '{' : ','}${canonicalize(key)}:`);
    addCanonical(hash, value, levels - 1);
  }
  hash.update(members.length === 0 ? '{}' : '}');
}
