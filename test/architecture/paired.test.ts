import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePairs } from '../../bench/support/paired.ts';

const pairs = (...all: readonly (readonly [number, number])[]) => all.map(([before, after]) => ({ before, after }));

describe('a comparison in pairs', () => {
  it('calls what all of six pairs agree on a change, by the medians', () => {
    const compared = comparePairs(pairs([10, 5], [20, 11], [12, 6], [9, 4], [30, 15], [10, 6]));
    expect(compared).toMatchObject({ pairs: 6, before: 11, after: 6, ratio: 0.5, verdict: 'change' });
    expect(compared.chance).toBeCloseTo(2 / 64, 12);
  });

  it('says that five pairs are too few, and that seven of nine that agree are noise, as a coin agrees as often', () => {
    expect(comparePairs(pairs([2, 1], [2, 1], [2, 1], [2, 1], [2, 1])).verdict).toBe('too few');
    const seven = Array.from({ length: 7 }, () => [10, 9] as const);
    const compared = comparePairs(pairs(...seven, [10, 11], [10, 30]));
    expect(compared.verdict).toBe('noise');
    expect(compared.chance).toBeCloseTo((2 * (1 + 9 + 36)) / 512, 12);
  });

  it('says that exact figures are the same, also if they are 0', () => {
    expect(comparePairs(pairs([0, 0], [11, 11]))).toMatchObject({ verdict: 'same', false_alarm: 0 });
  });

  it('says how often a coin would be called a change', () => {
    for (const throws of [3, 6, 9, 12]) {
      const results = Array.from({ length: 2 ** throws }, (_, bits) =>
        comparePairs(Array.from({ length: throws }, (_, i) => ({ before: 2, after: (bits >> i) & 1 ? 3 : 1 }))),
      );
      const changes = results.filter(({ verdict }) => verdict === 'change').length;
      expect(results[0]?.false_alarm).toBeCloseTo(changes / 2 ** throws, 12);
    }
  });

  it('says the same of a change and of its reverse', () => {
    const value = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(fc.array(fc.record({ before: value, after: value }), { minLength: 1, maxLength: 12 }), (some) => {
        const [there, back] = [
          comparePairs(some),
          comparePairs(some.map(({ before, after }) => ({ before: after, after: before }))),
        ];
        expect(back.verdict).toBe(there.verdict);
        expect(back.chance).toBe(there.chance);
        expect(there.chance).toBeLessThanOrEqual(1);
      }),
    );
  });
});
