import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isWebPage } from '../../cli/login/open-page.ts';
import { csvLine, printable, printableJson, printableJsonText, printableLines } from '../../cli/terminal/terminal.ts';
import { repositoryName } from '../../shared/contract/codehost-checks.ts';
import { inertCell } from '../../shared/contract/vocabulary.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u001b]0;title\u0007',
    '\u009b31m',
    '\u202egnp.exe',
    '\u{e0041}\u{e007f}',
    '\u00ad',
    '\u200b',
    '\ud800',
  ),
);
const text = fc.array(hostile).map((parts) => parts.join(''));
const acted = /[\p{Cc}\p{Cf}\p{Cs}]/u;

describe('a table for a spreadsheet', () => {
  it('has no cell that is run as a formula', () => {
    const formula = fc
      .tuple(fc.constantFrom('=', '+', '-', '@', ' =', '\t@', '＝', '＠', ' ＋', '－'), text)
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(formula, (data) => {
        expect(csvLine([data])).toMatch(/^"?'/);
        // The explorer's tables use the same rule.
        expect(inertCell(data)).toBe(`'${data}`);
      }),
    );
    expect(csvLine(['shop.orders', -5, null])).toBe('shop.orders,-5,');
  });

  it('has no cell that a semicolon divides in the spreadsheets of some countries', () => {
    expect(csvLine(['a;=cmd()', 'b'])).toBe('"a;=cmd()",b');
  });
});

describe('what a server says', () => {
  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'ms-msdt:/id', 'http://evil.example/', '--help', ''])(
    'is not opened in a browser as %j',
    (address) => expect(isWebPage(address)).toBe(false),
  );

  it.each(['https://id.example/authorize?a=b', 'http://127.0.0.1:4600/', 'http://[::1]:4600/', 'http://localhost/'])(
    'is opened as %s',
    (address) => expect(isWebPage(address)).toBe(true),
  );

  it.each(['../..', './x', 'acme/..', 'acme', 'acme//x', 'acme/../x', 'acme/shop?x', 'acme/sh op', 'acme'])(
    'is no repository as %j',
    (name) => expect(v.safeParse(repositoryName, name).success).toBe(false),
  );
});

describe('what a terminal shows of the data', () => {
  it('has no control and no format character, and no half of one', () => {
    fc.assert(
      fc.property(text, (data) => {
        expect(printable(data)).not.toMatch(acted);
        expect(printableLines(data).replaceAll('\n', '')).not.toMatch(acted);
        expect(printableJson({ [data]: data })).not.toMatch(acted);
      }),
    );
  });

  it('means the same as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), text, (value, data) => {
        const json = { value, [data]: data };
        expect(JSON.parse(printableJson(json))).toEqual(JSON.parse(JSON.stringify(json)));
      }),
    );
    expect(JSON.parse(printableJsonText('{"a":"\u202e\u{e0041}"}'))).toEqual({ a: '\u202e\u{e0041}' });
  });
});
