import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalDigest } from '../../../shared/domain/intake/canonical-digest.ts';
import { sha256 } from '../../../shared/domain/intake/open-delivery.ts';

const anyBody = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }));

it('is the digest of the whole canonical text, though it is made in parts', () => {
  fc.assert(
    fc.property(anyBody, ({ source_event_key: _, ...body }) => {
      expect(canonicalDigest(body)).toBe(sha256(canonicalize(body) ?? ''));
    }),
    { numRuns: 300 },
  );
});

it('leaves out the key, absent fields and the order of members', () => {
  const digest = canonicalDigest({ a: { x: [1, { b: 1, a: [] }], y: {} }, b: 2 });
  expect(canonicalDigest({ b: 2, source_event_key: 'k', c: undefined, a: { y: {}, x: [1, { a: [], b: 1 }] } })).toBe(
    digest,
  );
  expect(canonicalDigest({ a: { x: [1, { b: 1, a: [] }], y: [] }, b: 2 })).not.toBe(digest);
});

it('compares what has no canonical form in the order it came, wherever it stands', () => {
  const odd = { a: { ['\ud800']: { c: { d: 1 } } } };
  expect(canonicalDigest(odd)).toBe(sha256(JSON.stringify(odd)));
  expect(canonicalDigest({ a: ['\udc00'] })).toBe(sha256(JSON.stringify({ a: ['\udc00'] })));
});
