import { describe, expect, it } from 'vitest';
import type { ColumnPath, EdgeOfAnswer, Row, Shown } from '../../web/src/lineage/answer.ts';
import { chainBetween } from '../../web/src/lineage/chain.ts';

const path = (from: string, to: string, expression: string | null = null) => {
  const [upstream, column = ''] = from.split('/');
  const [downstream, target = null] = to.split('/');
  return {
    upstream: { relation_ref: upstream, column },
    downstream: { relation_ref: downstream, column: target },
    expression,
  } as ColumnPath;
};

const shown = (
  paths: readonly ColumnPath[],
  edges: readonly string[] = [],
  direction: Row['direction'] = 'downstream',
) =>
  ({
    root: 'raw',
    rows: ['stg', 'fct', 'deck'].map((relation) => ({ relation, direction }) as Row),
    paths,
    edges: edges.map((edge) => {
      const [upstream, downstream] = edge.split(' ');
      return { upstream, downstream } as EdgeOfAnswer;
    }),
  }) as unknown as Shown;

const told = (answer: Shown, columns: readonly string[], relation: string) =>
  chainBetween(answer, columns, relation).map(({ relation: at, column, by }) =>
    [column === null ? at : `${at}/${column}`, by?.expression].filter(Boolean).join(' by '),
  );

describe('why a relation breaks', () => {
  it('is the shortest chain of expressions from the requested column', () => {
    const answer = shown([
      path('raw/cents', 'stg/amount', 'cents / 100'),
      path('raw/other', 'fct/total', 'other'),
      path('stg/amount', 'fct/total', 'sum(amount)'),
    ]);
    expect(told(answer, ['cents'], 'fct')).toEqual([
      'raw/cents',
      'stg/amount by cents / 100',
      'fct/total by sum(amount)',
    ]);
  });

  it('goes on from a column that decides rows by every column of the relation', () => {
    const answer = shown([path('raw/cents', 'stg', 'cents > 0'), path('stg/amount', 'fct/total', 'sum(amount)')]);
    expect(told(answer, ['cents'], 'fct')).toEqual(['raw/cents', 'stg by cents > 0', 'fct/total by sum(amount)']);
  });

  it('is a chain of relations if no columns are known, and none where nothing leads there', () => {
    const answer = shown([path('raw/cents', 'stg/amount')], ['raw stg', 'stg deck']);
    expect(told(answer, ['cents'], 'deck')).toEqual(['raw', 'stg', 'deck']);
    expect(told(answer, ['cents'], 'fct')).toEqual([]);
  });

  it('follows the data from an upstream relation to the root', () => {
    const answer = shown([path('stg/amount', 'raw/cents', 'amount * 100')], [], 'upstream');
    expect(told(answer, ['cents'], 'stg')).toEqual(['stg/amount', 'raw/cents by amount * 100']);
  });

  it('ends at a circle of columns', () => {
    const answer = shown([path('raw/cents', 'stg/amount'), path('stg/amount', 'raw/cents')]);
    expect(told(answer, ['cents'], 'fct')).toEqual([]);
  });
});
