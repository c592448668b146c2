import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseScript, analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { columnsOf, labelledStatements, showWhole } from './statements.ts';

const parser = await loadSqlParser();

describe.each([
  'sources',
  'queries',
  'stars',
  'expressions',
  'names',
  'writes',
  'scripts',
  'fields',
  'rewritten',
  'dialects',
  'syntax',
  'unresolved',
])('%s', (file) => {
  it.each(labelledStatements(file))('$dialect: $sql', ({ dialect, sql, expected, columnsOf }) => {
    const analysis = analyseSql(parser, sql, { dialect, columnsOf });
    expect(showWhole(analysis, ['rewritten', 'dialects', 'syntax'].includes(file))).toBe(expected);
  });
});

describe('the second relation that OUTPUT … INTO writes', () => {
  const sourcesOf = (sql: string) =>
    analyseScript(parser, sql, { dialect: 'tsql', columnsOf: () => null }).map(({ target, outputs }) => [
      target?.map(({ text }) => text).join('.'),
      ...outputs.map(
        ({ column, sources }) => `${column} < ${sources.map((one) => `${one.relation[0]?.text}.${one.column}`)}`,
      ),
    ]);

  it.each([
    [
      'insert into t (a, b) output inserted.a, inserted.b into dbo.audit (x, y) select c, d from s',
      [
        ['t', 'a < s.c', 'b < s.d'],
        ['dbo.audit', 'x < s.c', 'y < s.d'],
      ],
    ],
    [
      'update t set a = s.c output deleted.a, inserted.a, inserted.b into audit (o, n, b) from t join s on t.id = s.id',
      [
        ['t', 'a < s.c'],
        ['audit', 'o < t.a', 'n < s.c', 'b < t.b'],
      ],
    ],
    ['delete from t output deleted.id into audit where a = 1', [['t'], ['audit', 'null < t.id']]],
    [
      'insert into t (a) output inserted.a into log (b) select c from s',
      [
        ['t', 'a < s.c'],
        ['log', 'b < s.c'],
      ],
    ],
    [
      'merge t using s on t.id = s.id when matched then update set a = s.c output $action, inserted.a into audit (act, a);',
      [
        ['t', 'a < s.c'],
        ['audit', 'act < ', 'a < s.c'],
      ],
    ],
    [
      'merge t using s as x on t.id = x.id when matched then delete output x.c, deleted.id into log (c, id);',
      [['t'], ['log', 'c < s.c', 'id < t.id']],
    ],
    [
      'update t set a = s.c output s.d, inserted.a into audit (d, a) from t join s on t.id = s.id',
      [
        ['t', 'a < s.c'],
        ['audit', 'd < s.d', 'a < s.c'],
      ],
    ],
    [
      'declare @ids table (i int); insert into t (a) output inserted.a into @ids select c from s; insert into k (id) select x.i from @ids x',
      [
        ['t', 'a < s.c'],
        ['k', 'id < s.c'],
      ],
    ],
  ])('has the columns that the statement gave the first: %s', (sql, expected) => {
    expect(sourcesOf(sql)).toEqual(expected);
  });

  it('leaves a text that names one of two relations unresolved', () => {
    const sql = 'insert into t (a) output inserted.a into audit (a) select c from s';
    const { outputs, unresolvedReason } = analyseSql(parser, sql, { dialect: 'tsql', columnsOf: () => null });
    expect([outputs, unresolvedReason]).toEqual([[], 'the text writes 2 relations']);
  });
});

const indirectOf = (sql: string): string[] =>
  analyseSql(parser, sql, { dialect: 'postgres', columnsOf })
    .indirect.map(({ relation, column, subtype }) => `${relation.at(-1)?.text}.${column} ${subtype}`)
    .sort();

describe('columns that decide on rows', () => {
  it.each([
    ['select id from accounts where owner = $1', ['accounts.owner FILTER']],
    ['select id from accounts join regions using (region)', ['accounts.region JOIN', 'regions.region JOIN']],
    [
      'select id from accounts a join payments p on p.account_id = a.id and amount > 1',
      ['accounts.id JOIN', 'payments.account_id JOIN', 'payments.amount JOIN'],
    ],
    [
      'select owner, count(*) from accounts group by 1 having max(id) > 1 order by region',
      ['accounts.id FILTER', 'accounts.owner GROUP_BY', 'accounts.region SORT'],
    ],
    ['select distinct on (owner) id from accounts', ['accounts.owner GROUP_BY']],
    [
      'select id from accounts except select account_id from payments',
      ['accounts.id FILTER', 'payments.account_id FILTER'],
    ],
    [
      'select id from accounts where exists (select 1 from payments where account_id = id)',
      ['accounts.id FILTER', 'payments.account_id FILTER'],
    ],
    [
      'select id from accounts where exists (select * from payments where account_id = id)',
      ['accounts.id FILTER', 'payments.account_id FILTER'],
    ],
    [
      'merge into report t using payments s on t.id = s.account_id when matched and paid_at > 1 then update set total = s.amount',
      ['payments.account_id JOIN', 'payments.paid_at FILTER', 'report.id JOIN'],
    ],
    [
      'select id from accounts where id in (select account_id from payments)',
      ['accounts.id FILTER', 'payments.account_id FILTER'],
    ],
    ['select distinct owner from accounts', ['accounts.owner GROUP_BY']],
    ['select owner from accounts union select name from people', ['accounts.owner GROUP_BY', 'people.name GROUP_BY']],
    ['select owner from accounts union all select name from people', []],
    ['select owner from accounts intersect select name from people', ['accounts.owner FILTER', 'people.name FILTER']],
    [
      'select owner, region || 1, max(id) from accounts group by all',
      ['accounts.owner GROUP_BY', 'accounts.region GROUP_BY'],
    ],
    ['select id from events, unnest(tags) as t(tag)', ['events.tags JOIN']],
    ['select id from accounts limit (select max(amount) from payments)', ['payments.amount FILTER']],
    ['select sum(id) as region from accounts group by region', ['accounts.region GROUP_BY']],
    ['delete from report using quarters q where q.id = report.id', ['quarters.id FILTER', 'report.id FILTER']],
  ])('of %s', (sql, expected) => {
    expect(indirectOf(sql)).toEqual(expected);
  });
});

describe('unknown columns in a clause', () => {
  const reasonOf = (sql: string) =>
    analyseSql(parser, sql, { dialect: 'postgres', columnsOf }).indirectUnresolvedReason;

  it.each([
    ["select t.id from t join u on t.id = u.id where status = 'x'", /column status is of one of 2 relations/],
    ['select id from accounts where missing > 1', /no relation in scope has a column missing/],
    ['select count(*) as n from t natural join u', /natural join of relations with unknown columns/],
    ['select distinct * from t', /star_over_unknown_columns/],
  ])('%s', (sql, reason) => {
    expect(reasonOf(sql)).toMatch(reason);
  });

  it('are no reason if all is known', () => {
    expect(reasonOf('select distinct id from accounts a join regions using (region) where owner = 1')).toBeNull();
  });
});

describe('bounds', () => {
  const reasonOf = (sql: string) => analyseSql(parser, sql, { dialect: 'postgres', columnsOf }).unresolvedReason;
  const nested = (levels: number) => `${'select * from ('.repeat(levels)}select 1 as one${') as q'.repeat(levels)}`;
  const doubling = Array.from({ length: 40 }, (_, i) => `w${i + 1} as (select *, * from w${i})`).join(', ');

  it.each([
    ['no text', ' \n', /empty/],
    ['more text than is parsed in a second', `select '${'x'.repeat(1_000_001)}'`, /statement_too_complex/],
    ['more brackets than the parser takes', `select ${'('.repeat(200)}1${')'.repeat(200)}`, /statement_too_complex/],
    ['more nesting than the parser takes', nested(80), /statement_too_complex/],
    [
      'columns that double with each CTE',
      `with w0 as (select 1 as a), ${doubling} select * from w40`,
      /statement_too_complex/,
    ],
  ])('%s is a reason, not a failure', (_, sql, reason) => {
    expect(reasonOf(sql)).toMatch(reason);
  });

  it('keeps what the statement quotes out of the reason', () => {
    expect(reasonOf("select 'secret' from from 'secret'")).not.toMatch(/secret/);
  });
});
