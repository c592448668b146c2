import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globs, scopeGlobs } from '../../../shared/contract/glob.ts';

describe('globs', () => {
  it.each([
    ['shop.main.orders', 'shop.main.orders', true],
    ['shop.main.orders', 'shop.main.orders2', false],
    ['SHOP.*.Orders', 'shop.main.orders', true],
    ['*.tmp_*', 'shop.main.TMP_drop', true],
    ['*.tmp_*', 'shop.main.tmp', false],
    ['analytics.*', 'analytics.public.orders', true],
    ['*', 's3://bucket/a/b.parquet', true],
    ['s3://bucket/*', 's3://bucket/a/b.parquet', true],
    ['shop.main.order?', 'shop.main.orders', true],
    ['shop.main.order?', 'shop.main.order', false],
    ['stage_[0-9].*', 'stage_7.main.x', true],
    ['stage_[!0-9].*', 'stage_7.main.x', false],
    ['a[]]b', 'a]b', true],
    ['[ab', '[ab', true],
    ['a[b-]c', 'a-c', true],
    ['shop.main.my table', 'shop.main."My Table"', true],
    ['shop.main."my table"', 'shop.main."My Table"', true],
    ['(a+)+$', '(a+)+$', true],
    ['!shop', 'shop', false],
    ['', '', true],
    ['', 'a', false],
    ['a**b', 'a.x.b', true],
  ])('%s against %s is %s', (pattern, text, expected) => {
    expect(globs([pattern])(text)).toBe(expected);
  });

  it('match if one of several does, and never where there is none', () => {
    expect(globs(['a', 'b'])('b')).toBe(true);
    expect(globs([])('b')).toBe(false);
  });

  it('match a text by itself wherever it has no special character', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/[[*?]/.test(text));
    fc.assert(fc.property(plain, (text) => globs([text])(text)));
  });

  it('match as a regular expression of the same stars does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?') });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.') });
    fc.assert(
      fc.property(word, text, (pattern, name) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('?', '.').replace(/\*+/g, '.*');
        return globs([pattern])(name) === new RegExp(`^${source}$`).test(name);
      }),
    );
  });

  it('take any pattern without failing', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 50 });
    fc.assert(fc.property(anything, anything, (pattern, text) => typeof globs([pattern])(text) === 'boolean'));
  });

  it('end soon on patterns that make backtracking explode', () => {
    const name = 'a'.repeat(2_000);
    for (const pattern of [`${'a*'.repeat(250)}b`, `${'*a'.repeat(249)}*b`, '+(a|a)*'.repeat(70), '{a,'.repeat(160)]) {
      expect(globs([pattern])(name)).toBe(false);
    }
  });
});

describe('scope globs', () => {
  it('represent all that lies under what they name', () => {
    const matches = scopeGlobs(['shop.raw']);
    expect(['shop.raw', 'shop.raw.orders', 'SHOP.RAW.x'].map(matches)).toEqual([true, true, true]);
    expect(['shop.raw2.orders', 'shop', 'my.shop.raw'].map(matches)).toEqual([false, false, false]);
  });
});
