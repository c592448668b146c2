import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mostBytes } from '../../../shared/domain/lineage/queries/answer-size.ts';

it('takes no answer for smaller than it is once it is written twice', () => {
  const character = fc.constantFrom('a', '"', '\\', '\n', '\u0000', 'é', '€', '😀', '\ud800');
  const text = fc.array(character, { maxLength: 5 }).map((characters) => characters.join(''));
  const one = fc.oneof(text, fc.double(), fc.constantFrom(null, true));
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(one, { maxLength: 3 }), { maxKeys: 3 }), (answer) => {
      const twice = JSON.stringify(JSON.stringify(answer));
      expect(mostBytes(answer)).toBeGreaterThanOrEqual(Buffer.byteLength(twice));
    }),
  );
});
