import { describe, expect, it } from 'vitest';
import { describeAnswer } from '../../cli/impact/describe-answer.ts';
import { type ImpactAnswer, provenImpact } from '../../shared/contract/impact.ts';
import { claimOf } from '../../shared/domain/lineage/queries/claim/claim.ts';

const path = (from: string, column: string, to: string, built: string | null) => ({
  upstream: { relation_ref: from, column },
  downstream: { relation_ref: to, column: built },
});
const answerOf = (roots: string[], paths: ReturnType<typeof path>[], downstream: string[]) =>
  ({
    root: { relation_ref: 'raw' },
    graph_found: true,
    upstream: [],
    downstream: downstream.map((relation_ref) => ({ relation_ref, depth: 1, columns: [], via: [] })),
    column_lineage: { roots, paths },
    truncated: {},
    summary: { verdicts: { confirmed: 2, declared_only: 0, observed_only: 1, contradicted: 0 } },
    precision: { reasons: [] },
    limits: {},
    exposures: [],
    coverage: { feeds: [] },
    claim: claimOf({ breaks: 0, may_break: 0 }, [], null),
  }) as unknown as ImpactAnswer;

const plain = { bold: (text: string) => text, dim: (text: string) => text, cyan: (text: string) => text };
const style = { ...plain, yellow: plain.dim } as Parameters<typeof describeAnswer>[2];

describe('what breaks if a column changes (C-IMPACT-20)', () => {
  const paths = [
    path('raw', 'Id', 'staged', 'ID'),
    path('staged', 'id', 'mart', null),
    path('mart', 'n', 'report', 'n'),
  ];

  it('is what mappings lead to all the way, whatever their order and the case of names', () => {
    for (const order of [paths, paths.toReversed()])
      expect([...provenImpact(answerOf(['id'], order, []))].sort()).toEqual(['mart', 'report', 'staged']);
    expect([...provenImpact(answerOf(['other'], paths, []))]).toEqual([]);
  });

  it('does not follow a mapping of a column that was only reached with its whole table', () => {
    const beyond = [path('raw', 'id', 'staged', 'id'), path('wide', 'x', 'report', 'x')];
    expect([...provenImpact(answerOf(['id'], beyond, ['wide', 'report']))]).toEqual(['staged']);
  });

  it('concerns the fields within a column, and the column that a field is in (C-IMPACT-17)', () => {
    const fields = [path('raw', 'address.city', 'town', 'name'), path('raw', 'note', 'notes', 'text')];
    expect([...provenImpact(answerOf(['address'], fields, []))]).toEqual(['town']);
    expect([...provenImpact(answerOf(['note.lang'], fields, []))]).toEqual(['notes']);
  });

  it('is counted apart from possible breaks by the command', () => {
    const text = describeAnswer(answerOf(['id'], paths, ['staged', 'mart', 'wide']), ['id'], style);
    expect(text).toContain('  breaks with it: 2\n');
    expect(text).toContain('  may break with it: 1\n');
    expect(text).toContain('  edges: 2 confirmed by runs, 1 only observed');
    expect(describeAnswer(answerOf(['id'], paths, ['staged']), ['id'], style)).not.toContain('may break with it');
  });
});
