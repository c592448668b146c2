import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { dialects } from './dialects.ts';
import { columnsOfTables, queries } from './queries.ts';
import { columnsOf, labelledStatements, showAnalysis } from './statements.ts';

const parser = await loadSqlParser();
const show = (sql: string): string =>
  showAnalysis(analyseSql(parser, sql, { dialect: 'duckdb', columnsOf: columnsOfTables }));

describe('what does not change an answer', () => {
  it.each<[string, (sql: string) => string]>([
    ['other names for relations and common tables', (sql) => sql.replaceAll(/\b[tsw]\d+\b/g, 'other_$&')],
    ['a common table around it', (sql) => `with whole as (${sql}) select * from whole`],
    ['a subquery around it', (sql) => `select whole.* from (${sql}) as whole`],
    ['brackets', (sql) => `(${sql})`],
    ['line ends and comments', (sql) => sql.replaceAll(' ', '\n-- from (select\n/* from q */ ')],
    [
      'capitals of keywords',
      (sql) => sql.replaceAll(/\b(select|from|join|as|using|with|where|case|union)\b/g, (word) => word.toUpperCase()),
    ],
  ])('%s', (_, changed) => {
    fc.assert(
      fc.property(queries, ({ sql }) => {
        expect(show(changed(sql))).toBe(show(sql));
      }),
      { numRuns: 40 },
    );
  });
});

const statements = ['sources', 'queries', 'stars', 'expressions', 'names', 'writes', 'unresolved']
  .flatMap(labelledStatements)
  .map(({ sql }) => sql);

/** A statement with pieces cut out, doubled, or put in that belong elsewhere or nowhere. */
const broken = fc
  .record({
    sql: fc.oneof(
      fc.constantFrom(...statements),
      queries.map(({ sql }) => sql),
    ),
    edits: fc.array(
      fc.record({
        from: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(12),
        put: fc.oneof(
          fc.constantFrom(
            '',
            '(',
            ')',
            "'",
            '"',
            '`',
            ';',
            ',',
            '.',
            '*',
            '--',
            '/*',
            '$$',
            '\\',
            '\0',
            '\ud800',
            '[',
            ' as ',
            ' select ',
            ' from ',
            ' join ',
            ' union ',
            ' over (',
          ),
          fc.string({ unit: 'binary', maxLength: 6 }),
        ),
      }),
      { maxLength: 4 },
    ),
    kept: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ sql, edits, kept }) => {
    const cut = sql.slice(0, Math.ceil(sql.length * (kept < 0.5 ? 1 : kept)));
    return edits.reduce((text, { from, length, put }) => {
      const at = Math.floor(text.length * from);
      return text.slice(0, at) + put + text.slice(at + length);
    }, cut);
  });

/** One construct within itself, many times. */
const nested = fc
  .record({
    around: fc.constantFrom<readonly [string, string]>(
      ['(', ')'],
      ['select * from (', ') q'],
      ['(select ', ')'],
      ['coalesce(', ', 1)'],
      ['case when a then ', ' end'],
      ['[', ']'],
      ["{'a': ", '}'],
      ['not ', ''],
      ['a + ', ''],
      ['with w as (', ') select * from w'],
      ['select 1 union ', ''],
      ['array<', '>'],
    ),
    levels: fc.integer({ min: 1, max: 3_000 }),
  })
  .map(({ around: [open, close], levels }) => `select ${open.repeat(levels)}a${close.repeat(levels)} from t`);

describe('whatever text is given', () => {
  it.each([
    ['a broken statement', broken, 400],
    ['deep nesting', nested, 60],
    ['any text', fc.string({ unit: 'binary', maxLength: 200 }), 100],
  ])('%s never throws, and what is not answered has a reason', (_, texts, numRuns) => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...dialects), (sql, dialect) => {
        const { outputs, reads, unresolvedReason } = analyseSql(parser, sql, { dialect, columnsOf });
        if (unresolvedReason !== null) expect(outputs).toEqual([]);
        // What a procedure reads that an INSERT runs is not known.
        else if (!/exec/i.test(sql)) expect(reads).not.toBeNull();
        for (const output of outputs) if (output.column === null) expect(output.unresolvedReason).not.toBeNull();
      }),
      { numRuns },
    );
  });
});
