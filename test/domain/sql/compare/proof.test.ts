import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { mutantsOf } from '../../../../bench/gauntlet/mutate.ts';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { compareStatements } from '../../../../shared/domain/lineage/sql/compare/compare-statements.ts';
import type { SqlDialect } from '../../../../shared/domain/lineage/sql/dialect.ts';
import { type EqualPair, equalPairs, relations } from './equal-pairs.ts';

const parser = await loadSqlParser();
const compared = (before: string, after: string, dialect: SqlDialect = 'duckdb') => {
  const version = (text: string) => ({ text, dialects: [dialect], inlined: '', reads: () => null });
  return compareStatements(parser, version(before), version(after));
};

const connection = await (await DuckDBInstance.create()).connect();
await connection.run('set threads to 1');

/** What a statement gives over each content of the relations, or that it fails. */
async function resultsOf(statements: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string[]>(statements.map((one) => [one, []]));
  for (const content of relations) {
    for (const table of content) await connection.run(table);
    for (const [statement, results] of found) results.push(await resultOf(statement));
  }
  return new Map([...found].map(([statement, results]) => [statement, results.join('\n')]));
}

async function resultOf(statement: string): Promise<string> {
  try {
    const result = await connection.runAndReadAll(statement);
    const rows = result.getRows().map((row) => JSON.stringify(row.map(String)));
    return JSON.stringify([
      result.columnNames().map((one) => one.toLowerCase()),
      result.columnTypes().map(String),
      rows.sort(),
    ]);
  } catch {
    return 'fails';
  }
}

const isExecuted = ({ dialect }: EqualPair): boolean => dialect === undefined;

describe('statements that are proven to be the same (C-DIFF-6)', () => {
  it.each(equalPairs)('proves $rule', async ({ before, after, others, dialect }) => {
    expect(compared(before, after, dialect)).toMatchObject({ kind: 'same' });
    for (const other of others) expect([other, compared(before, other, dialect).kind]).toEqual([other, 'changed']);
  });

  it.each(equalPairs.filter(isExecuted))('finds that execution agrees: $rule', async ({ before, after, others }) => {
    const results = await resultsOf([before, after, ...others]);
    expect(results.get(before)).not.toContain('fails');
    expect(results.get(after)).toBe(results.get(before));
    // If a precondition is not met, some rows show it.
    for (const other of others) expect([other, results.get(other) === results.get(before)]).toEqual([other, false]);
  });

  it('claims no equality with a statement that has another word and gives something else', async () => {
    const claims = equalPairs.filter(isExecuted).flatMap(({ before, after }) =>
      mutantsOf(after)
        .filter(({ text }) => compared(before, text).kind === 'same')
        .map(({ text }) => [before, text] as const),
    );
    const results = await resultsOf([...new Set(claims.flat())]);
    expect(claims.filter(([before, text]) => results.get(before) !== results.get(text))).toEqual([]);
    expect(claims.length).toBeGreaterThan(20);
  }, 120_000);
});

it('claims nothing of columns that only the later statement reads, as they may not be there (C-DIFF-6)', () => {
  const inner = 'select a.x from a join b on a.k = b.k';
  expect(compared(`${inner} and b.y > 0`, `${inner} where b.y > 0`)).toMatchObject({ kind: 'same' });
  const fewer = 'select max(a.x) as m from a left join b on a.k = b.k';
  expect(compared(fewer, 'select max(a.x) as m from a')).toMatchObject({ kind: 'same' });
  expect(compared('select max(a.x) as m from a', fewer)).toMatchObject({ kind: 'changed' });
});

it('claims nothing of an alias that may be a column of the relation (C-DIFF-6)', () => {
  const open = 'select x * 2 as d, d + 1 as e from a';
  expect(compared(open, 'select x * 2 as d, x * 2 + 1 as e from a')).toMatchObject({ kind: 'changed' });
  const listed = 'with q as (select k, x from a)';
  expect(
    compared(`${listed} select x * 2 as d, d + 1 as e from q`, `${listed} select x * 2 as d, x * 2 + 1 as e from q`),
  ).toMatchObject({ kind: 'same' });
});

it('claims nothing of outer joins in ClickHouse, which fills them with zeros (C-DIFF-6)', () => {
  const [left, inner] = ['left join', 'join'].map((join) => `select a.x from a ${join} b on a.k = b.k where b.y = 1`);
  expect(compared(left ?? '', inner ?? '')).toMatchObject({ kind: 'same' });
  expect(compared(left ?? '', inner ?? '', 'clickhouse')).toMatchObject({ kind: 'changed' });
});

it.each([
  [
    'a number equals a text in a union',
    `select 1 as n, x from a group by x union all select '1' as n, x from a group by x`,
    `select 1 as n, x from a group by x union select '1' as n, x from a group by x`,
  ],
  [
    'a number has two spellings',
    'select 1 as n, x from a group by x union all select 01 as n, x from a group by x',
    'select 1 as n, x from a group by x union select 01 as n, x from a group by x',
  ],
  [
    'a condition is on a joined row of constants',
    'select b.y from b left join a on a.x = b.y left join (select 1 as one) s on s.one = b.k where s.one = 1',
    'select b.y from b join a on a.x = b.y left join (select 1 as one) s on s.one = b.k where s.one = 1',
  ],
  [
    'two rows of constants are joined',
    'select s.one from b left join (select 1 as one) s on b.k = 1 left join (select 1 as one) t on b.y = 1',
    'select t.one from b left join (select 1 as one) s on b.k = 1 left join (select 1 as one) t on b.y = 1',
  ],
])('claims nothing where %s (C-DIFF-6)', async (_, before, after) => {
  expect(compared(before, after)).toMatchObject({ kind: 'changed' });
  const results = await resultsOf([before, after]);
  expect(results.get(before)).not.toContain('fails');
  expect(results.get(after)).not.toBe(results.get(before));
});

it('claims nothing of duplicates under a condition that is a matter of luck (C-DIFF-6)', () => {
  const [drawn, plain] = [' where random() < 0.5', ' where x < 0.5'].map((where) =>
    compared(`select count(x) from (select distinct x from a)${where}`, `select count(distinct x) from a${where}`),
  );
  expect([drawn?.kind, plain?.kind]).toEqual(['changed', 'same']);
});

it('claims nothing of words of ClickHouse that choose among the pairs of a join (C-DIFF-6)', () => {
  const join = (word: string) => `select a.x, b.y from a ${word} join b on a.k = b.k and a.t >= b.t`;
  for (const word of ['any', 'asof', 'semi', 'anti'])
    expect([word, compared(join(word), join(''), 'clickhouse').kind]).toEqual([word, 'changed']);
});

describe('a left join whose rows without a match (C-DIFF-6)', () => {
  const left = (condition: string) => `select a.x, b.y from a left join b on a.k = b.k where ${condition}`;
  const inner = (condition: string) => `select a.x, b.y from a join b on a.k = b.k where ${condition}`;

  it.each([
    'b.y < 2',
    'b.y <= 1',
    'b.y + 1 > 0',
    '-b.y < 0',
    'b.y % 2 = 1',
    'not (b.y > 1)',
    'not (b.y > 1 or b.y is null)',
    'b.y between 1 and 2',
    'b.y not in (3, 4)',
    'b.y is not null',
    "cast(b.y as varchar) like '1%'",
    "cast(b.y as varchar) not like '1%'",
    '(b.y > 1) is not null',
    'coalesce(b.y, b.k) > 0',
    'coalesce(b.y > 0, false)',
    'coalesce(b.y > 0, null, false)',
    'b.y is not distinct from 1',
    'a.x = 1 and b.y = 1',
    'b.y = 1 or b.k = 2',
    'case when b.y > 0 then true else false end',
    'case when b.y is null then false else true end',
    'case when b.y > 0 then true end',
    'case b.y when 1 then true when 2 then true end',
    'case when a.x = 1 then b.y > 0 else b.y = 1 end',
    '(b.y > 0) is true',
    'b.y + a.x = 2',
    'not (b.y is null)',
    'b.y <> 1',
    'b.y >= 1',
    'b.y - 1 > 0',
    'b.y * 2 = 2',
    'b.y / 2 < 1',
    "cast(b.y as varchar) ilike '1%'",
    "cast(b.y as varchar) = '1'",
  ])('do not meet a condition is an inner one: %s', async (condition) => {
    expect(compared(left(condition), inner(condition))).toMatchObject({ kind: 'same' });
    const results = await resultsOf([left(condition), inner(condition)]);
    expect(results.get(left(condition))).not.toContain('fails');
    expect(results.get(inner(condition))).toBe(results.get(left(condition)));
  });

  it.each([
    'b.y is null',
    'coalesce(b.y, 1) > 0',
    'coalesce(b.y, a.k) > 0',
    'coalesce(b.y > 5, true)',
    'b.y is distinct from 1',
    'b.y = 1 or a.x = 1',
    'case when b.y > 0 then false else true end',
    'case when b.y is null then true else false end',
    'case when a.x = 1 then b.y > 0 else true end',
    '(b.y > 0) is null',
    'not coalesce(b.y > 0, false)',
    '(b.y > 1) is not true',
    'a.x = 1',
    'b.y is null or b.y > 0',
    'case when b.y > 0 then true else a.x = 1 end',
    'not (b.y is null and a.x is null)',
    'b.y is not distinct from a.x',
    "concat(b.y, 'a') = 'a'",
    'b.y is not distinct from null',
  ])('may meet a condition is no inner one: %s', async (condition) => {
    expect(compared(left(condition), inner(condition))).toMatchObject({ kind: 'changed' });
    const results = await resultsOf([left(condition), inner(condition)]);
    expect(results.get(left(condition))).not.toContain('fails');
    expect(results.get(inner(condition))).not.toBe(results.get(left(condition)));
  });
});

it.each<readonly [string, string, readonly SqlDialect[]]>([
  ['first', 'last', ['mysql', 'sqlite', 'tsql', 'fabric', 'bigquery', 'spark', 'databricks', 'hive']],
  ['last', 'last', ['duckdb', 'trino', 'presto', 'athena']],
  ['last', 'first', ['postgres', 'redshift', 'oracle', 'snowflake']],
])('knows that NULLs are %s in an order and %s in a descending one (C-DIFF-6)', (first, second, dialects) => {
  const ordered = (order: string) => `select rank() over (order by a ${order}) as n, a from t`;
  const found = dialects.map((dialect) => [
    dialect,
    ...['', 'desc'].map((direction) =>
      ['first', 'last'].filter(
        (place) => compared(ordered(direction), ordered(`${direction} nulls ${place}`), dialect).kind === 'same',
      ),
    ),
  ]);
  expect(found).toEqual(dialects.map((dialect) => [dialect, [first], [second]]));
});

it.each('null t f y n true false yes no on off inf infinity nan now today tomorrow yesterday epoch'.split(' '))(
  'claims nothing of the default %s, which may be a value of another type (C-DIFF-6)',
  (word) => {
    const withDefault = (value: string) => `select k from a where coalesce(s, '${value}') = 'p'`;
    expect(compared(withDefault('none'), withDefault('other'))).toMatchObject({ kind: 'same' });
    expect(compared(withDefault('none'), withDefault(word))).toMatchObject({ kind: 'changed' });
  },
);
