import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdicts } from '../../shared/contract/vocabulary.ts';
import { verdictOf, visibleAnswer } from '../../web/src/lineage/answer.ts';

type Answer = Parameters<typeof visibleAnswer>[0];
const each = [...verdicts, null] as const;

/** A chain of relations: r0 feeds r1, r1 feeds r2, by edges with the given verdicts. */
function chainOf(chain: readonly (typeof each)[number][]): Answer {
  const name = (index: number) => `r${index}`;
  const item = { connector_id: null, kind: 'table', columns: [], via: [], confidence: 1 };
  // Nothing else of an answer is shown.
  return {
    root: { relation_ref: name(0), connector_id: null },
    upstream: [],
    downstream: chain.map((_, index) => ({ ...item, relation_ref: name(index + 1), depth: index + 1 })),
    edges: chain.map((verdict, index) => ({
      ...{ upstream: name(index), downstream: name(index + 1), status: 'active', dispositions: [], confidence: 1 },
      ...{ verdict, verdict_reason: null, columns: [], evidence: [] },
    })),
    column_lineage: { roots: [], paths: [], unresolved: [] },
  } as unknown as Answer;
}

describe('edges by their verdicts (C-PICTURE-1)', () => {
  const chain = fc.array(fc.constantFrom(...each), { minLength: 1, maxLength: 20 });

  it('have as one line the verdict that needs attention most, in any order', () => {
    const order = ['contradicted', 'observed_only', 'declared_only', 'confirmed'] as const;
    fc.assert(
      fc.property(chain, (own) => {
        const edges = own.map((verdict) => ({ verdict }));
        expect(verdictOf(edges)).toBe(order.find((verdict) => own.includes(verdict)) ?? null);
        expect(verdictOf(edges.toReversed())).toBe(verdictOf(edges));
      }),
    );
  });

  it('are limited to edges with the chosen verdicts and their relations, while the counts cover all verdicts', () => {
    fc.assert(
      fc.property(chain, fc.subarray([...verdicts], { minLength: 1 }), (own, verdict) => {
        const shown = visibleAnswer(chainOf(own), [], { hide: [], verdict });
        const chosen = own.flatMap((one, index) => (one !== null && verdict.includes(one) ? [index] : []));
        expect(shown.edges.map(({ upstream }) => upstream)).toEqual(chosen.map((index) => `r${index}`));
        const ends = new Set(chosen.flatMap((index) => [`r${index}`, `r${index + 1}`]));
        ends.delete('r0');
        expect(new Set(shown.rows.map(({ relation }) => relation))).toEqual(ends);
        expect([shown.all.edges.length, shown.all.rows.length]).toEqual([own.length, own.length]);
      }),
    );
  });

  it('are all shown if no verdict is chosen', () => {
    fc.assert(
      fc.property(chain, (own) => {
        const shown = visibleAnswer(chainOf(own), [], { hide: [], verdict: [] });
        expect(shown.edges).toEqual(shown.all.edges);
        expect(shown.rows.map(({ verdict }) => verdict)).toEqual(own);
      }),
    );
  });
});
