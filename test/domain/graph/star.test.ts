import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnBehindStar, composedStar, type Star, throughStar } from '../../../shared/domain/lineage/graph/schema.ts';

const star = (except: string[], renamed: [string, string][] = []): Star => ({ except, renamed });

describe('a star that leaves out and renames columns', () => {
  it.each([
    ['a', 'a'],
    ['gone', null],
    ['GONE', null],
    ['old', 'new'],
    ['OLD', 'new'],
    ['A', 'A'],
  ])('makes of %s %s, whatever the case', (column, made) => {
    expect(throughStar(star(['Gone'], [['Old', 'new']]), column)).toBe(made);
  });

  it.each([
    ['a', 'a'],
    ['NEW', 'Old'],
    ['old', null],
    ['gone', null],
  ])('finds behind %s %s, whatever the case', (column, source) => {
    expect(columnBehindStar(star(['Gone'], [['Old', 'new']]), column)).toBe(source);
  });

  const column = fc.constantFrom('a', 'B', 'c', 'D', 'e');
  const any = fc
    .record({ except: fc.uniqueArray(column, { maxLength: 2 }), from: column, to: fc.constantFrom('f', 'G', 'a', 'b') })
    .map(({ except, from, to }) => star(except, [[from, to]]));
  const has = (names: readonly string[], name: string) => names.some((one) => one.toLowerCase() === name.toLowerCase());
  /** The columns that a star makes of others; null if no engine takes it: of a column that is not there, or two of one name. */
  function madeOf(columns: readonly string[], one: Star): readonly string[] | null {
    const from = one.renamed.map(([name]) => name);
    const made = columns.flatMap((name) => throughStar(one, name) ?? []);
    const isOfAll =
      [...one.except, ...from].every((name) => has(columns, name)) && !from.some((name) => has(one.except, name));
    return isOfAll && new Set(made.map((name) => name.toLowerCase())).size === made.length ? made : null;
  }

  it('says of a star over a star what both say one after the other', () => {
    fc.assert(
      fc.property(any, any, (inner, outer) => {
        const columns = ['A', 'b', 'C', 'd', 'e'];
        const between = madeOf(columns, inner);
        const made = between && madeOf(between, outer);
        fc.pre(made !== null);
        expect(columns.flatMap((name) => throughStar(composedStar(inner, outer), name) ?? [])).toEqual(made);
      }),
      { numRuns: 300 },
    );
  });
});
