import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseExactJson } from '../../../shared/domain/base/json/read-json.ts';

afterEach(() => void vi.restoreAllMocks());

/** Whether a text is read with a function for each value, which takes several times as long. */
function isReadSlowly(text: string): boolean {
  const parse = vi.spyOn(JSON, 'parse');
  parseExactJson(text);
  return parse.mock.calls.some(([, reviver]) => reviver !== undefined);
}

describe('reading JSON with its digits', () => {
  it('writes every number as it was sent', () => {
    const space = fc.constantFrom('', ' ', '\n\t');
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits(25),
        fc.option(digits(25)),
        fc.constantFrom('', 'e1', 'E+2', 'e-400', 'E400'),
      )
      .map(([sign, whole, fraction, power]) => {
        const plain = whole.replace(/^0+(?=\d)/, '');
        return `${sign}${plain}${fraction === null ? '' : `.${fraction}`}${power}`;
      });
    fc.assert(
      fc.property(number, number, space, (one, other, gap) => {
        const text = `{"a":${gap}${one}${gap},"b":[${gap}${other}${gap},${one}]}`;
        expect(JSON.stringify(parseExactJson(text))).toBe(`{"a":${one},"b":[${other},${one}]}`);
      }),
    );
  });

  it.each([
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    '2026-11-21T10:00:00.120Z',
    '3f1b2c4d-0000-4000-8000-000000000010',
    'https://shop.example/a?v=1.0&w=10.0',
  ])('reads an event with the text %j as fast as any', (text) => {
    expect(isReadSlowly(JSON.stringify({ id: text, n: 5, m: 1.5, list: [text, -3] }))).toBe(false);
  });

  it('takes the slower way for a number that a double changes', () => {
    for (const number of ['0.10', '-0', '1E+2', '12345678901234567890', '5.0'])
      expect(isReadSlowly(`{"n": ${number} }`), number).toBe(true);
  });
});
