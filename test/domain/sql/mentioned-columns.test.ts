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
