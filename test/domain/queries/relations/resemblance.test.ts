import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameTails } from '../../../../shared/domain/lineage/graph/name-parts.ts';
import { fitOf, isOneEditAway } from '../../../../shared/domain/lineage/queries/relations/resemblance.ts';

const nameOf = (ref: string) => ({ ref, lower: ref.toLowerCase() });

/** Every text that one typo makes of a word. */
function typosOf(word: string, letters: string): Set<string> {
  const all = new Set([word]);
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    if (after !== '') all.add(before + after.slice(1));
    if (after.length > 1) all.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2));
    for (const letter of letters) {
      all.add(before + letter + after);
      if (after !== '') all.add(before + letter + after.slice(1));
    }
  }
  return all;
}

const letters = 'abc_';
const word = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 7 });
const ref = fc
  .array(fc.tuple(word, fc.constantFrom('.', '_', '-', '')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([text, mark]) => text.slice(0, 1).toUpperCase() + text.slice(1) + mark).join(''));
const query = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 9 })
  .filter((q) => /^[abc]/.test(q));

/** Looks at each piece of the name from the beginning of a part to the end of one. */
function naiveFit(q: string, name: string): number | null {
  if (nameTails(name).some((tail) => tail.startsWith(q))) return 0;
  if (q.length >= 3 && name.toLowerCase().includes(q)) return 1;
  if (q.length < 4) return null;
  const typos = typosOf(q, `${letters}.-`);
  const isStart = (i: number) => /[a-z]/i.test(name.charAt(i)) && nameTails(name).includes(name.slice(i).toLowerCase());
  const ends = [...name].flatMap((_, i) => {
    const rest = name.slice(i + 1).replace(/^[^a-z]+/i, '');
    const isEnd = /[a-z]/i.test(name.charAt(i)) && (rest === '' || isStart(name.length - rest.length));
    return isEnd ? [i + 1] : [];
  });
  const pieces = [...name].flatMap((_, i) =>
    isStart(i) ? ends.filter((end) => end > i).map((end) => name.slice(i, end)) : [],
  );
  return pieces.some((piece) => typos.has(piece.toLowerCase())) ? 2 : null;
}

describe('how a name fits a word of a search', () => {
  it('is what a look at every piece of it says (C-RELATION-7)', () => {
    fc.assert(
      fc.property(query, ref, (q, name) => {
        expect(fitOf([q], nameOf(name))).toBe(naiveFit(q, name));
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes one insertion, deletion, substitution or swap for a typo, and no two', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isOneEditAway(a, b)).toBe(typosOf(a, 'abc').has(b));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['paymnts', 'shop.raw.payments', 2],
    ['net_refnds', 'shop.mart.fct_net_refunds', 2],
    ['efund', 'shop.mart.net_refunds', 1],
    ['refunds', 'shop.mart.netRefunds', 0],
    ['ayments', 'shop.raw.Payments', 1],
    ['ymt', 'shop.raw.payments', null],
    ['pya', 'shop.raw.pay', null],
  ])('%s in %s', (q, name, fit) => {
    expect(fitOf([q], nameOf(name))).toBe(fit);
  });
});
