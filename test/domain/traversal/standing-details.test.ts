import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EdgeColumn, EdgeDetail, Unresolved } from '../../../shared/domain/lineage/graph/derivation.ts';
import { columnsOf, moreInformative, propagateColumns } from '../../../shared/domain/lineage/traversal/columns.ts';
import { standingDetails } from '../../../shared/domain/lineage/traversal/standing-details.ts';

type Detail = Pick<EdgeDetail, 'columns' | 'unresolved' | 'statement'>;
const mapping = (inputColumn: string, outputColumn: string | null, more: Partial<EdgeColumn> = {}): EdgeColumn =>
  ({ inputColumn, outputColumn, type: 'DIRECT', subtype: 'IDENTITY', masking: false, ...more }) as EdgeColumn;
const nothing: readonly Unresolved[] = [{ outputColumn: null, reason: 'columns_not_reported' }];
const model = 'dbt:shop.orders';
const reach = (details: readonly (Detail | null)[], column = 'a') =>
  propagateColumns('out', columnsOf([column]), details as (EdgeDetail | null)[]);

const exact: Detail = { columns: [mapping('a', 'x')], unresolved: [], statement: { model, version: '1' } };

describe('evidence of one statement (C-EVIDENCE-7)', () => {
  it('adds no doubt to an exact mapping of it, and does if another producer says it', () => {
    const silent = { columns: [], unresolved: nothing };
    for (const statement of [{ model }, { model, version: '1' }])
      expect(reach([exact, { ...silent, statement }])).toMatchObject({ byTable: false, reasons: [] });
    for (const other of [silent, { ...silent, statement: { model: 'dbt:shop.other' } }, null])
      expect(reach([exact, other])).toMatchObject({ byTable: true });
  });

  it('is of another version if its text is another: both count', () => {
    const older: Detail = { columns: [mapping('a', 'y')], unresolved: [], statement: { model, version: '0' } };
    expect([...(reach([exact, older]).reached?.names.keys() ?? [])].sort()).toEqual(['x', 'y']);
    const doubted = { ...older, unresolved: nothing };
    expect(reach([exact, doubted])).toMatchObject({ byTable: true });
  });

  it('adds the pairs of columns that only it has if it shows no text, and keeps the details of the others', () => {
    const masked = { ...exact, columns: [mapping('a', 'x', { masking: true })] };
    const bare: Detail = {
      columns: [mapping('A', 'X', { subtype: null }), mapping('b', 'z', { subtype: null })],
      unresolved: nothing,
      statement: { model },
    };
    const standing = standingDetails([bare, masked]);
    expect(standing.flatMap((one) => one?.columns ?? [])).toEqual([masked.columns[0], bare.columns[1]]);
    expect(standing.flatMap((one) => one?.unresolved ?? [])).toEqual([]);
  });

  it('settles by the most exact word what none knows whole', () => {
    const open = (outputColumn: string): Unresolved => ({ outputColumn, reason: 'star_over_unknown_columns' });
    const one: Detail = { columns: [mapping('a', 'x')], unresolved: [open('y')], statement: exact.statement as never };
    const other: Detail = {
      columns: [mapping('b', 'z')],
      unresolved: [open('x'), open('y')],
      statement: one.statement as never,
    };
    expect(standingDetails([other, one])).toEqual([{ ...one, columns: [...one.columns, ...other.columns] }]);
  });
});

/** What one version of a statement really does. */
const truth = [mapping('a', 'x'), mapping('b', 'x'), mapping('b', 'y'), mapping('c', null, { type: 'INDIRECT' })];
const partly = fc.subarray(truth);
const version = fc.constantFrom('1', null);
/** A source's statement: all, a part with doubt, or nothing. */
const word = fc.record({ whole: fc.boolean(), part: partly, version }).map(
  ({ whole, part, version }): Detail => ({
    columns: whole ? truth : part,
    unresolved: whole ? [] : nothing,
    statement: { model, ...(version !== null && { version }) },
  }),
);
const pairs = (details: readonly (Detail | null)[]) =>
  details.flatMap((one) => one?.columns ?? []).map((one) => JSON.stringify(one));
const doubts = (details: readonly (Detail | null)[]) => details.flatMap((one) => one?.unresolved ?? []).length;

describe('sources of one statement added one by one', () => {
  it('never lose a mapping, never doubt what was exact, and mean the same in any order (C-EVIDENCE-7)', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.nat(), (words, turn) => {
        let before: readonly (Detail | null)[] = [];
        for (const [i] of words.entries()) {
          const now = standingDetails(words.slice(0, i + 1));
          expect(pairs(now)).toEqual(expect.arrayContaining(pairs(before)));
          if (i > 0 && doubts(before) === 0) expect(new Set(pairs(now))).toEqual(new Set(pairs(before)));
          if (i > 0) expect(doubts(now)).toBeLessThanOrEqual(doubts(before));
          before = now;
        }
        const turned = words.map((_, i) => words[(i + turn) % words.length] as Detail).toReversed();
        expect(new Set(pairs(standingDetails(turned)))).toEqual(new Set(pairs(before)));
        expect(doubts(standingDetails(turned))).toBe(doubts(before));
      }),
    );
  });
});

it('shows the longest expression of a mapping, regardless of the order of sources (C-COLUMNS-11)', () => {
  const expressions = fc.option(fc.constantFrom('a', 'sum(a)', 'max(a)', 'sum(a) / 2'), { nil: undefined });
  fc.assert(
    fc.property(expressions, expressions, expressions, (...texts) => {
      const all = texts.map((text) => mapping('a', 'x', text === undefined ? {} : { expression: text }));
      const shown = (ones: EdgeColumn[]) => ones.reduce(moreInformative).expression;
      const longest = Math.max(...texts.map((text) => text?.length ?? 0));
      expect(shown(all)?.length ?? 0).toBe(longest);
      expect(shown(all.toReversed())).toBe(shown(all));
    }),
  );
});
