import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClaimLimit, effectOf, type LimitCode, limitCodes, limitOf } from '../../../shared/contract/claim.ts';
import { claimSentence, limitLines } from '../../../shared/contract/claim-words.ts';
import { claimOf, limited } from '../../../shared/domain/lineage/queries/claim/claim.ts';

const code = fc.constantFrom(...limitCodes);
const limit = fc
  .record({ code, subjects: fc.array(fc.string(), { maxLength: 3 }), detail: fc.constantFrom('5', 'x_y') })
  .map(({ code: one, ...about }) => limitOf(one, about));
const blocking = limitCodes.filter((one) => effectOf(one) !== 'remark');
const until = '2026-11-28T12:00:00.000Z';
const nothing = { breaks: 0, may_break: 0 };
const allClear = /nothing known breaks/i;

describe('the claim of an answer', () => {
  it('is that nothing known breaks only if nothing was found and no limit blocks (C-CLAIM-2)', () => {
    fc.assert(
      fc.property(fc.array(limit, { maxLength: 4 }), fc.nat(3), fc.nat(3), (limits, breaks, may_break) => {
        const claim = claimOf({ breaks, may_break }, limits, until);
        const isClear = breaks + may_break === 0 && limits.every(({ blocks }) => !blocks);
        expect(claim.kind === 'nothing_known_breaks').toBe(isClear);
        expect(allClear.test([claimSentence(claim), ...limitLines(claim)].join(' '))).toBe(isClear);
      }),
    );
  });

  it('is never the all-clear with any blocking limit or pair of them (C-CLAIM-3)', () => {
    for (const one of blocking)
      for (const other of blocking) {
        const claim = claimOf(nothing, [limitOf(one), limitOf(other)], until);
        expect(claim.kind, `${one} ${other}`).not.toBe('nothing_known_breaks');
        expect(claimSentence(claim)).not.toMatch(allClear);
      }
  });

  it('has a kind, counts, and limits with a stable code, those that block first (C-CLAIM-1)', () => {
    const claim = claimOf(nothing, [], until);
    expect(limited(claim, limitOf('source_quiet')).kind).toBe('nothing_known_breaks');
    const both = limited(claim, limitOf('source_quiet'), limitOf('cut_by_depth'));
    expect(both.limits.map((one) => [one.code, one.blocks])).toEqual([
      ['cut_by_depth', true],
      ['source_quiet', false],
    ]);
    expect(limited(claim, limitOf('cut_by_size')).kind).toBe('may_break');
    expect(limited(claim, limitOf('cut_by_size'), limitOf('name_not_resolved')).kind).toBe('not_evaluated');
  });

  it('says what was found although evidence waits, and nothing of a name that is not known', () => {
    const found = { breaks: 2, may_break: 1 };
    const kinds = (limits: readonly ClaimLimit[]) => [found, nothing].map((one) => claimOf(one, limits, until).kind);
    expect(kinds([limitOf('evidence_waits', { detail: until })])).toEqual(['breaks', 'not_evaluated']);
    expect(kinds([limitOf('name_not_resolved')])).toEqual(['not_evaluated', 'not_evaluated']);
  });

  it('counts at least what a partial walk found', () => {
    const sentenceWith = (...codes: readonly LimitCode[]) =>
      claimSentence(
        claimOf(
          { breaks: 2, may_break: 1 },
          codes.map((one) => limitOf(one)),
          until,
        ),
      );
    expect(sentenceWith()).toBe('2 relations break, and 1 relation may break.');
    expect(sentenceWith('cut_by_depth')).toBe('At least 2 relations break, and 1 relation may break.');
  });

  it('speaks of upstream relations if only those were requested', () => {
    const sentence = (feeds: number, ...codes: readonly LimitCode[]) => {
      const limits = (['downstream_not_requested', ...codes] as const).map((one) => limitOf(one));
      return claimSentence(claimOf({ ...nothing, feeds }, limits, until));
    };
    expect(sentence(2)).toBe('2 relations feed it.');
    expect(sentence(0)).toBe('Nothing known feeds it.');
    expect(sentence(0, 'suppressed_by_policy')).toBe('It is not known whether anything feeds it.');
  });

  it('words each limit together with its remedy (C-CLAIM-5)', () => {
    for (const one of limitCodes) {
      const [line = ''] = limitLines({ limits: [limitOf(one, { subjects: ['a.b'], detail: 'Some detail.' })] });
      expect(line, one).toMatch(/^[A-Z0-9].*[.)]$/);
    }
  });
});
