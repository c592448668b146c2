import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableJsonText, printableLines } from '../../cli/terminal/terminal.ts';

const anything = fc.string({ unit: 'binary' });
/** Written without the code under test: what no terminal may receive. */
const acts = (text: string): boolean =>
  [...text].some((one) => {
    const code = one.codePointAt(0) ?? 0;
    const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    return isControl || (code >= 0xd800 && code <= 0xdfff) || (code >= 0x202a && code <= 0x202e);
  });

describe('text of the data on a terminal', () => {
  it('shows escape sequences instead of obeying them', () => {
    expect(printable('\u001b[31mred\u001b]0;title\u0007')).toBe('\\u001b[31mred\\u001b]0;title\\u0007');
    expect(printable('a\r\nb')).toBe('a\\u000d\\nb');
    expect(printable('\u009b2J \u202edexif')).toBe('\\u009b2J \\u202edexif');
  });

  it('keeps letters of every script and whole characters', () => {
    expect(printable('größe_合計 🧮')).toBe('größe_合計 🧮');
  });

  it('has nothing that a terminal acts on, whatever the text is', () => {
    fc.assert(fc.property(anything, (text) => !acts(printable(text))));
    fc.assert(fc.property(anything, (text) => !acts(printableLines(text).replaceAll('\n', ''))));
  });

  it('keeps the meaning of JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(printableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(printableJsonText('{"name":"\u0085"}')).toBe('{"name":"\\u0085"}');
    expect(printableJson({ name: '\u009b\u202e' })).toBe('{"name":"\\u009b\\u202e"}');
  });
});
