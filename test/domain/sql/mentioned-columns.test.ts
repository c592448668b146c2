import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { dialects } from './dialects.ts';

const parser = await loadSqlParser();
const names = ['a', 'b', 'c', 'd'];

const operators = [
  ...['+', '-', '*', '/', '%', '||', '=', '<>', '<=', 'and', 'or', 'like', 'not like', 'is distinct from'],
  ...['->', '->>', '#>>', '@>', '<@', '?|', '@@', '~', '!~*', '&&', '&', '|', '#', '<<', '^', 'ilike', '<=>', '=='],
  ...['//', '**', 'div', 'mod', 'rlike', 'regexp', 'glob', 'similar to', 'in', '::int +', '[0] +', '.f +', ':k +'],
];

/** `X` is replaced by an operator between columns. */
const places = [
  ...['(X)', 'f(X)', 'f(1, X)', 'f(c, X, d)', 'coalesce(X, c)', 'cast(X as varchar(10))', '-(X)', 'not (X)', '(X).f'],
  ...['case when X then c end', 'case X when 1 then c end', 'c in (1, X)', 'X in (c, 1)', 'c between (X) and d'],
  ...['sum(X) over (partition by c order by d)', 'sum(c) over (order by X)', 'count(*) filter (where X)', 'c[X]'],
  ...["string_agg(c, ',' order by X)", 'array_agg(X order by d)', 'percentile_cont(0.5) within group (order by (X))'],
  ...['exists (select 1 from u where x = (X))', '(select max(x) from u where x = (X))', 'c = any(array[X])'],
  ...['row(X, c)', 'array[X, c]', 'struct(X as k, c as l)', "{'k': X, 'l': c}", "json_object('k' value X)"],
  ...['substring(c from (X) for d)', 'extract(year from (X))', 'trim(both (X) from c)', 'c like d escape (X)'],
  ...['first_value(X ignore nulls) over (order by d)', 'transform(array(X), y -> y + c)', 'if(X, c, d)', 'f(k => X)'],
];

const mentioned = (text: string) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));

it('reads each column that an expression mentions, or says why not', () => {
  const cases = fc.record({
    dialect: fc.constantFrom(...dialects),
    operator: fc.constantFrom(...operators),
    place: fc.constantFrom(...places),
  });
  fc.assert(
    fc.property(cases, ({ dialect, operator, place }) => {
      // Elsewhere it makes a lambda.
      fc.pre(operator !== '->' || ['duckdb', 'mysql', 'postgres', 'sqlite'].includes(dialect));
      const operation = /^[:[.]/.test(operator) ? `a${operator} b` : `a ${operator} b`;
      const expression = place.replace('X', operation);
      const columnsOf = () => ({ names, complete: true });
      const found = analyseSql(parser, `select ${expression} as z from t`, { dialect, columnsOf });
      const reasons = [found.unresolvedReason, found.indirectUnresolvedReason, found.outputs[0]?.unresolvedReason];
      if (reasons.some((reason) => reason !== null && reason !== undefined)) return;
      const read = [...found.indirect, ...(found.outputs[0]?.sources ?? [])].map(({ column }) => column.toLowerCase());
      expect(read, expression).toEqual(expect.arrayContaining(mentioned(expression.replaceAll(/'[^']*'/g, ''))));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  'with u as (select a from t) select b from t',
  'select b from (select a + 1 as x, b from t) q',
  'with s as (select * from t), r as (select a as x, b from s) select b from r',
  'select b from t where exists (select a from t q where q.b = t.b)',
  'select count(*) as n from (select row_number() over (order by a) as x from t) q',
  'create temp table u as select a, b from t; insert into o (b) select b from u',
  'select q.b from t cross join lateral (select t.a as x) l join t q on true',
])('reads a column that the results do not use: %s (C-COLUMNS-9)', (sql) => {
  const { outputs, indirect } = analyseSql(parser, sql, {
    dialect: 'postgres',
    columnsOf: () => ({ names, complete: true }),
  });
  const isOfA = ({ column }: { readonly column: string }) => column === 'a';
  expect(outputs.some(({ sources }) => sources.some(isOfA))).toBe(false);
  expect(indirect.filter(isOfA).map(({ subtype }) => subtype)).toEqual(['REFERENCE']);
});
