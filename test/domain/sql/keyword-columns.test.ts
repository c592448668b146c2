import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { unnamedColumn } from '../../../shared/domain/lineage/sql/answer.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import type { SqlAnalysis } from '../../../shared/domain/lineage/sql/types.ts';
import { seed } from '../../support/seed.ts';
import { datePartForms, type Form, keywords, plainForms, textOf } from './keyword-columns.ts';

const parser = await loadSqlParser();
const [plainA, plainB] = ['zz8', 'zz9'];

function analysed(form: Form, dialect: SqlDialect, a: string, b: string): SqlAnalysis {
  return analyseSql(parser, textOf(form, a, b), {
    dialect,
    columnsOf: (relation) => {
      const names = { t: [a, b, 'z'], u: ['k'] }[relation.at(-1)?.text.toLowerCase() ?? ''];
      return names === undefined ? null : { names, complete: true };
    },
  });
}

/** The edges of a statement, with the names `{a}` and `{b}` for the two columns. */
function edgesOf({ outputs, indirect }: SqlAnalysis, a: string, b: string): string {
  const nameOf = (column: string) => (column === a ? '{a}' : column === b ? '{b}' : column);
  const lines = [
    ...outputs.map(({ sources }, place) =>
      sources.map(({ column, type, subtype }) => `${place} < ${nameOf(column)} ${type} ${subtype}`).sort(),
    ),
    ...indirect.map(({ column, subtype }) => `rows < ${nameOf(column)} ${subtype}`).sort(),
  ];
  return lines.flat().join('\n');
}

function reasonsOf({ outputs, unresolvedReason, indirectUnresolvedReason }: SqlAnalysis): readonly string[] {
  const reasons = outputs.flatMap((output) => output.reasons.map(({ text }) => text));
  return [unresolvedReason, indirectUnresolvedReason, ...reasons].filter(isReason);
}

const isReason = (text: string | null): text is string => text !== null && text !== unnamedColumn;

const cases = [...plainForms, ...datePartForms].flatMap((form) =>
  form.dialects.map((dialect) => [`${dialect}: ${form.text}`, form, dialect] as const),
);

/** Dialects that do not allow some of the words as names, so that what a statement means with them is not defined. */
const reserved: Partial<Record<SqlDialect, readonly string[]>> = {
  mysql: ['interval'],
  oracle: ['level', 'prior'],
};

const keywordsOf = (dialect: SqlDialect) => keywords.filter((word) => !reserved[dialect]?.includes(word));

describe(`a column named like a keyword (SEED=${seed})`, () => {
  it.each(cases)('is read at every place of %s, with a name like any other', (_, form, dialect) => {
    const analysis = analysed(form, dialect, plainA, plainB);
    const edges = edgesOf(analysis, plainA, plainB);
    const names = ['{a}', '{b}'].filter((name) => form.text.includes(name));
    expect([reasonsOf(analysis), names.filter((name) => !edges.includes(name))]).toEqual([[], []]);
  });

  it('has the edges of a column with any other name, or a reason (C-COLUMNS-10)', { timeout: 120_000 }, () => {
    let [same, unresolved] = [0, 0];
    const arbitrary = fc.constantFrom(...cases).chain(([name, form, dialect]) => {
      const word = fc.constantFrom(...keywordsOf(dialect));
      return fc.record({
        name: fc.constant(name),
        form: fc.constant(form),
        dialect: fc.constant(dialect),
        word,
        isFirst: fc.boolean(),
      });
    });
    const property = fc.property(arbitrary, ({ form, dialect, word, isFirst }) => {
      const [a, b] = isFirst ? [word, plainB] : [plainA, word];
      const expected = analysed(form, dialect, plainA, plainB);
      const found = analysed(form, dialect, a, b);
      if (reasonsOf(found).length > reasonsOf(expected).length) unresolved++;
      else {
        expect(edgesOf(found, a, b)).toBe(edgesOf(expected, plainA, plainB));
        same++;
      }
    });
    fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 1500) });
    expect(same / (same + unresolved)).toBeGreaterThan(0.97);
  });
});
