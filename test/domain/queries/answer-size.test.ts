import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limits } from '../../../shared/contract/limits.ts';
import { firstCarried, isCarried, mostBytes } from '../../../shared/domain/lineage/queries/answer-size.ts';

const character = fc.constantFrom('a', '"', '\\', '\n', '\u0000', 'é', '€', '😀', '\ud800');
const text = fc.array(character, { maxLength: 5 }).map((characters) => characters.join(''));
const one = fc.oneof(text, fc.double(), fc.constantFrom(null, true));
const writtenTwice = (answer: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(answer)));

it('takes no answer for smaller than it is once it is written twice', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(one, { maxLength: 3 }), { maxKeys: 3 }), (answer) => {
      expect(mostBytes(answer)).toBeGreaterThanOrEqual(writtenTwice(answer));
    }),
  );
});

it.each([
  ['', 6],
  ['ab', 20],
  [1, 26],
  [null, 26],
  [[], 4],
  [['a', true], 4 + 14 + 27],
  [{ ab: [] }, 4 + 20 + 4],
])('knows a bound of the bytes of %o without writing it', (value, bytes) => {
  expect(mostBytes(value)).toBe(bytes);
});

it.each([
  ['letters', 'a', 1],
  ['quotes', '"', 4],
  ['characters of three bytes', '€', 3],
])('carries answers up to the limit, and none over it: of %s', (_, piece, each) => {
  const frame = writtenTwice(['']);
  const count = Math.floor((limits.answerBytes - frame) / each);
  const [largest, over] = [count, count + 1].map((length) => [piece.repeat(length)]);
  expect([writtenTwice(largest) <= limits.answerBytes, writtenTwice(over) <= limits.answerBytes]).toEqual([
    true,
    false,
  ]);
  expect([isCarried(largest), isCarried(over)]).toEqual([true, false]);
});

it('takes the first answer that is carried, else the last, and makes no more of them than it needs', () => {
  const large = 'a'.repeat(limits.answerBytes);
  const made: number[] = [];
  const smaller = function* (...answers: readonly string[]) {
    for (const [n, answer] of answers.entries()) {
      made.push(n);
      yield answer;
    }
  };
  expect(firstCarried('small', smaller('x'))).toBe('small');
  expect(made).toEqual([]);
  expect(firstCarried(large, smaller(`1${large}`, '2', '3'))).toBe('2');
  expect(made).toEqual([0, 1]);
  expect(firstCarried(large, smaller(`1${large}`, `2${large}`))).toBe(`2${large}`);
  expect(firstCarried(large, [])).toBe(large);
});

it('does not carry an answer that is longer than a text may be, and hides no other error', () => {
  const failing = (error: Error) => ({
    toJSON: () => {
      throw error;
    },
    more: 'a'.repeat(limits.answerBytes),
  });
  expect(isCarried(failing(new RangeError('Invalid string length')))).toBe(false);
  expect(() => isCarried(failing(new TypeError('broken')))).toThrow('broken');
});
