import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalDigest, canonicalText, sha256 } from '../../../shared/domain/base/digest.ts';

it('is that of the canonical text: absent fields and the order of members make no difference', () => {
  expect(canonicalDigest({ b: [1, { d: 1.0, c: undefined }], a: 'é' })).toBe(
    sha256('{"a":"é","b":[1,{"d":1}]}').toString('base64url'),
  );
});

it('is that of RFC 8785, of any value that it has a form for', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value));
      fc.pre(JSON.stringify(parsed) === JSON.stringify(parsed).toWellFormed());
      expect(canonicalText(parsed)).toBe(canonicalize(parsed));
    }),
  );
});

it('does not depend on the order of members that have no form there', () => {
  const [odd, other] = [
    { '\ud800': 1, a: ['\udc00'] },
    { a: ['\udc00'], '\ud800': 1 },
  ];
  expect(canonicalDigest(odd)).toBe(canonicalDigest(other));
  expect(canonicalDigest(odd)).not.toBe(canonicalDigest({ '\ud801': 1, a: ['\udc00'] }));
});
