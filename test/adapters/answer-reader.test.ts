import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerOf } from '../../shared/adapters/dynamodb/requests/answer-reader.ts';

const names = fc.oneof(fc.constantFrom('S', 'N', 'SS', 'M', '__proto__', 'constructor'), fc.string());
const isBinary = (name: string) => name === 'B' || name === 'BS';
const { object } = fc.letrec<{ object: object; value: unknown }>((tie) => ({
  object: fc.dictionary(
    names.filter((name) => !isBinary(name)),
    tie('value'),
    { maxKeys: 4 },
  ),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\\', '\\"', '"', '\\\\"', '{', '",'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
}));

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(object, fc.nat(2), (answer, indent) => {
      const text = JSON.stringify(answer, null, indent);
      expect(JSON.stringify(answerOf(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

it('takes an answer without a body for one without members', () => expect(answerOf('')).toEqual({}));

it('reads no answer that ends early or goes on after its end', () => {
  fc.assert(
    fc.property(object, fc.nat(), fc.constantFrom('}', ',', '"', ' {}', 'x'), (answer, place, more) => {
      const text = JSON.stringify(answer);
      const early = text.slice(0, 1 + (place % (text.length - 1)));
      for (const broken of [early, text + more]) expect(() => answerOf(broken)).toThrow(SyntaxError);
    }),
  );
});

it('reads bytes only if they are the value of an attribute', () => {
  const bytes = Buffer.from([1, 2, 3]);
  const { Item } = answerOf('{"Item":{"B":{"B":"AQID"},"s":{"BS":["AQID"]},"m":{"M":{"B":{"S":"AQID"}}}}}');
  expect(Item).toEqual({ B: { B: bytes }, s: { BS: [bytes] }, m: { M: { B: { S: 'AQID' } } } });
});

it('keeps nothing of an answer but what is held of it', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bytes = 2 ** 20;
  const textOf = (i: number) => `{"name":{"S":"relation:${i} of a warehouse"},"rest":{"S":"${'x'.repeat(bytes)}"}}`;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const held = Array.from({ length: 64 }, (_, i) => (answerOf(textOf(i))['name'] as { S: string }).S);
  expect(heap() - before).toBeLessThan(8 * bytes);
  expect(new Set(held).size).toBe(64);
});
