import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDigest } from '../../../shared/domain/base/digest.ts';
import { exactValue, memberText } from '../../../shared/domain/base/json/read-json.ts';

const digestOf = (text: string) => canonicalDigest(exactValue(text, JSON.parse(text)));
const isSame = (a: string, b: string) => digestOf(`{"n":[${a}]}`) === digestOf(`{"n":[${b}]}`);

describe('documents are compared by the values of their numbers (C-INGEST-6)', () => {
  it.each([
    ['1', '1.0'],
    ['0.1', '0.10'],
    ['100', '1E+2'],
    ['-0', '0'],
    ['9007199254740993', '9007199254740993.0'],
    ['1e400', '10.0e399'],
    ['1700000000.1234567', '1700000000.12345670'],
  ])('%s is %s', (a, b) => {
    expect(isSame(a, b)).toBe(true);
  });

  it.each([
    ['9007199254740992', '9007199254740993'],
    ['0.1', '0.1000000000000000001'],
    ['1e400', '1e401'],
    ['1e400', '-1e400'],
    [`1e${'9'.repeat(30)}`, `1e${'9'.repeat(31)}`],
    ['1e-400', '0'],
    ['1e-400', '1e-401'],
    ['123456789012345678901234567890', '123456789012345678901234567891'],
    [`1${'0'.repeat(60)}1`, `1${'0'.repeat(60)}2`],
    [`0.${'1'.repeat(80)}`, `0.${'1'.repeat(79)}2`],
    [`${'0'.repeat(0)}1.${'0'.repeat(45)}1e3`, '1000'],
    ['1e400', '{"rawJSON":"1e400"}'],
    ['1e400', '"1e400"'],
  ])('%s is not %s', (a, b) => {
    expect(isSame(a, b)).toBe(false);
  });

  it('wherever they are, and in strings nothing is a number', () => {
    for (const [before, after] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[ \n', ' ]'],
      ['[0,', ',0]'],
      ['[-', ']'],
    ])
      expect(digestOf(`${before}9007199254740993${after}`)).not.toBe(digestOf(`${before}9007199254740992${after}`));
    expect(() => digestOf('["b1c2-4e56-1234567890123456789", " 1e5-3", "-1234567890.123.4567"]')).not.toThrow();
    expect(digestOf('["a: 9007199254740993"]')).not.toBe(digestOf('["a: 9007199254740992"]'));
  });

  it('decides as exact arithmetic does, of any two decimals', () => {
    const decimal = fc.record({
      digits: fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }),
      power: fc.integer({ min: -30, max: 30 }),
    });
    const textOf = ({ digits, power }: { digits: bigint; power: number }) => `${digits}e${power}`;
    const amountOf = ({ digits, power }: { digits: bigint; power: number }) => digits * 10n ** BigInt(power + 30);
    fc.assert(
      fc.property(decimal, decimal, fc.integer({ min: 0, max: 5 }), (a, b, zeros) => {
        expect(isSame(textOf(a), textOf(b))).toBe(amountOf(a) === amountOf(b));
        const padded = { digits: a.digits * 10n ** BigInt(zeros), power: a.power - zeros };
        expect(isSame(textOf(a), textOf(padded))).toBe(true);
      }),
    );
  });
});

describe('a member of an object', () => {
  it('is its text as it was sent, whatever is around it', () => {
    const text =
      '{ "a": {"m": 1, "x": ["m", "}"]}, "\\u006d" : \n {"id": 9007199254740993, "f": 0.10, "t": "\\"}"} , "z": [1e2] }';
    expect(memberText(text, 'm')).toBe('{"id": 9007199254740993, "f": 0.10, "t": "\\"}"}');
    expect(memberText(text, 'z')).toBe('[1e2]');
    expect([memberText(text, 'x'), memberText(text, 'id'), memberText('{}', 'm')]).toEqual([null, null, null]);
    expect(memberText('{"m":"m","n":-1.0}', 'n')).toBe('-1.0');
  });

  it('means what the parser reads', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object, null, 1);
        for (const [name, value] of Object.entries(object))
          expect(JSON.parse(memberText(text, name) ?? 'no text')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
