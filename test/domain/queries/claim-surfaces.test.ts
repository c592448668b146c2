import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDiff, diffMarkdown } from '../../../cli/diff/describe-diff.ts';
import { describeAnswer } from '../../../cli/impact/describe-answer.ts';
import { type Claim, effectOf, type LimitCode, limitCodes, limitOf } from '../../../shared/contract/claim.ts';
import { claimSentence, joinedClaim, limitLines } from '../../../shared/contract/claim-words.ts';
import type { LineageDiff } from '../../../shared/contract/diff.ts';
import type { ImpactAnswer } from '../../../shared/contract/impact.ts';
import { checkReportOf } from '../../../shared/domain/codehost/pull-requests/check-report.ts';
import { claimOf } from '../../../shared/domain/lineage/queries/claim/claim.ts';
import { diffReport, tableReport } from '../../../shared/domain/lineage/report/diff-report.ts';
import { claimShown } from '../../../shared/mcp/tool.ts';

const blocking = limitCodes.filter((code) => effectOf(code) !== 'remark');
const subjects = ['crm.core.orders'];
const detail = '2026-11-28T12:00:00.000Z';
const found = { breaks: 0, may_break: 0 };
const claimUnder = (...codes: readonly LimitCode[]) =>
  claimOf(
    found,
    codes.map((code) => limitOf(code, { subjects, detail })),
    detail,
  );

const plain = (text: string) => text;
const style = {
  bold: plain,
  dim: plain,
  cyan: plain,
  yellow: plain,
  red: plain,
  green: plain,
} as unknown as Parameters<typeof describeDiff>[1];
const none = { added: 0, removed: 0, changed: 0 };
const side = { kind: 'scope', as_of: null, scope_key: null, last_complete_snapshot_at: detail, found: true } as const;

/** A comparison that lists nothing. */
const diffWith = (claim: Claim): LineageDiff => ({
  ...{ workspace_id: 'ws', connector_id: 'con', from: side, to: side, not_evaluated: null, matched_by: 'model' },
  ...{ relations: [], edges: [], columns: [], undeclared: { edges: [], complete: true }, precision: { reasons: [] } },
  grade: 'safe',
  summary: { relations: none, edges: none, columns: none, grades: { safe: 0, risky: 0, breaking: 0 } },
  truncated: { any: false, by_requests: false, by_bytes: false, unlisted: 0, unwalked: 0 },
  next_cursor: null,
  cost: { requests: 0, read_units: 0 },
  claim,
});

/** An answer that lists nothing. */
const answerWith = (claim: Claim) =>
  ({
    ...{ root: { relation_ref: 'crm.core.orders' }, upstream: [], downstream: [], exposures: [], claim },
    summary: { verdicts: { confirmed: 0, declared_only: 0, observed_only: 0, contradicted: 0 } },
  }) as unknown as ImpactAnswer;

const files = { commit: 'c0ffee', fileOf: () => null, ownersOf: () => [] };
const checkOf = (claim: Claim) => checkReportOf({ diff: diffWith(claim), ...files }, 'failure');

const surfaces: Readonly<Record<string, (claim: Claim) => string>> = {
  'the command’s impact': (claim) => describeAnswer(answerWith(claim), [], style),
  'the command’s comparison': (claim) => describeDiff(diffWith(claim), style),
  'the Markdown of a comparison': (claim) => diffMarkdown(diffWith(claim)),
  'a comment': (claim) => diffReport(diffWith(claim), { heading: claimSentence(claim) }),
  'the check of a pull request': (claim) => `${checkOf(claim).title}\n${checkOf(claim).summary}`,
  'an answer to an agent': (claim) => JSON.stringify([claimShown(claim), limitLines(claim)]),
  'the page and its exports': (claim) =>
    tableReport({ sentence: claimSentence(claim), limits: limitLines(claim) }, [['a']]),
};
const allClear = /nothing[\w ]* breaks|no lineage|\bsafe\b|nothing changes/i;

describe('every surface', () => {
  it.each(Object.entries(surfaces))('%s says the all-clear of a claim that has no limit', (_, wordsOf) => {
    expect(wordsOf(claimUnder())).toMatch(allClear);
  });

  it.each(Object.entries(surfaces))('%s says no all-clear under any limit that blocks, or any two', (_, wordsOf) => {
    for (const one of blocking)
      for (const other of blocking) expect(wordsOf(claimUnder(one, other)), `${one} ${other}`).not.toMatch(allClear);
  });

  it('concludes a check with success only of a claim without a limit that blocks (C-CODEHOST-12)', () => {
    expect(checkOf(claimUnder()).conclusion).toBe('success');
    for (const one of blocking) expect(checkOf(claimUnder(one)).conclusion, one).toBe('neutral');
  });

  it('says of several answers no more than the weakest of them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...limitCodes), { minLength: 1, maxLength: 4 }), (codes) => {
        const joined = joinedClaim([claimUnder(), ...codes.map((code) => claimUnder(code))]);
        expect(allClear.test(claimSentence(joined as Claim))).toBe(codes.every((code) => effectOf(code) === 'remark'));
      }),
    );
  });
});
