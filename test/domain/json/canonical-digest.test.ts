import { expect, it } from 'vitest';
import { canonicalDigest, sha256 } from '../../../shared/domain/base/digest.ts';

it('is that of the canonical text: absent fields and the order of members make no difference', () => {
  expect(canonicalDigest({ b: [1, { d: 1.0, c: undefined }], a: 'é' })).toBe(
    sha256('{"a":"é","b":[1,{"d":1}]}').toString('base64url'),
  );
});

it('compares what has no canonical form in the order it came, wherever it stands', () => {
  const odd = { a: { ['\ud800']: { c: { d: 1 } } } };
  expect(canonicalDigest(odd)).toBe(sha256(JSON.stringify(odd)).toString('base64url'));
  expect(canonicalDigest({ a: ['\udc00'] })).toBe(sha256(JSON.stringify({ a: ['\udc00'] })).toString('base64url'));
});
