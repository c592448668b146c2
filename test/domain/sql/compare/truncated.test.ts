import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { compareContents } from '../../../../shared/domain/lineage/sql/compare/compare-contents.ts';
import type { SqlDialect } from '../../../../shared/domain/lineage/sql/dialect.ts';

const parser = await loadSqlParser();
const days = 'cast(t as date)';
type Told = { readonly type: string | null; readonly dialect?: SqlDialect };

/** Whether two statements are proven to be the same if the catalog gives the column `t` of the relation `a` this type. */
function isProven(before: string, after: string, { type, dialect = 'duckdb' }: Told): boolean {
  const version = (text: string) => ({
    ...{ text, dialects: [dialect], inlined: '' },
    reads: () => ({ relation: 'a', contents: null, key: null, madeBy: null, has: new Map([['t', type]]) }),
  });
  return compareContents(parser, version(before), version(after), { left: 1_000_000 }) === 'same';
}

const wholes = ['day', 'week', 'month', 'quarter', 'year'].flatMap((unit) =>
  ['DATE', 'TIMESTAMP'].map((type) => [unit, type] as const),
);

it.each(wholes)(
  'takes the cast to a day before a truncation to a %s for nothing if the column is a %s (C-DIFF-6)',
  async (unit, type) => {
    const [before, after] = [days, 't'].map((value) => `select date_trunc('${unit}', ${value}) as d from a`);
    expect(isProven(before ?? '', after ?? '', { type })).toBe(true);
    const connection = await (await DuckDBInstance.create()).connect();
    const moments = ['2024-12-31 23:59:59', '2025-01-01 00:00:00', '1969-02-03 04:05:06', 'infinity'];
    await connection.run(
      `create table a as select cast(t as ${type}) as t from (values ${moments.map((one) => `('${one}')`).join()}, (null)) v(t)`,
    );
    const results = [before, after].map(async (text) => {
      const read = await connection.runAndReadAll(text ?? '');
      return [read.columnTypes().map(String), read.getRows().map((row) => row.map(String))];
    });
    const [first, second] = await Promise.all(results);
    expect(second).toEqual(first);
  },
);

it.each<[string, string, string, Told]>([
  ['the type is not known', 'select date_trunc(U, X) as d from a', 'month', { type: null }],
  ['the moment has a time zone', 'select date_trunc(U, X) as d from a', 'month', { type: 'TIMESTAMP WITH TIME ZONE' }],
  [
    'the database gives a moment',
    'select date_trunc(U, X) as d from a',
    'month',
    { type: 'timestamp', dialect: 'postgres' },
  ],
  ['the unit is a part of a day', 'select date_trunc(U, X) as d from a', 'hour', { type: 'TIMESTAMP' }],
  [
    'the value itself is read',
    'select X as d from a where date_trunc(U, X) is not null',
    'month',
    { type: 'TIMESTAMP' },
  ],
  [
    'groups are made by the day',
    'select date_trunc(U, d) as m, count(*) as n from (select X as d from a group by X) g group by 1',
    'month',
    { type: 'TIMESTAMP' },
  ],
])('claims nothing of a cast to a day if %s (C-DIFF-6)', (_, statement, unit, told) => {
  const [before, after] = [days, 't'].map((value) => statement.replaceAll('X', value).replaceAll('U', `'${unit}'`));
  expect(isProven(before ?? '', after ?? '', told)).toBe(false);
});

it('takes groups of days for groups of moments if sums of them are made by the month (C-DIFF-6)', () => {
  const [before, after] = [days, 't'].map(
    (value) =>
      `select date_trunc('month', d) as m, sum(n) as n from (select ${value} as d, count(*) as n from a group by 1) g group by 1`,
  );
  expect(isProven(before ?? '', after ?? '', { type: 'TIMESTAMP' })).toBe(true);
});
