import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import {
  compareStatements,
  type StatementComparison,
  type StatementVersion,
} from '../../../../shared/domain/lineage/sql/compare/compare-statements.ts';
import { dialectNamed, type SqlDialect } from '../../../../shared/domain/lineage/sql/dialect.ts';
import { tokensOf } from '../../../../shared/domain/lineage/sql/tokens.ts';
import { labelledStatements } from '../statements.ts';
import { mutationsOf } from './mutations.ts';

const parser = await loadSqlParser();

const version = (text: string, dialect: SqlDialect = 'duckdb'): StatementVersion => ({
  text,
  dialects: [dialect],
  inlined: '',
  reads: () => null,
});
const compared = (before: string, after: string, dialect?: SqlDialect) =>
  compareStatements(parser, version(before, dialect), version(after, dialect));

describe('what two versions of a statement have in common (C-DIFF-6)', () => {
  const pairs: readonly (readonly [string, string, SqlDialect?])[] = [
    ['select a, b from t where x = 1', 'SELECT  a,\n  b -- one\nFROM t /* two */ WHERE x = 1'],
    [
      'select a from t where (x = 1) and (y = 2 or z = 3)',
      'select (a) as a from t where ((x = 1)) and (y = 2 or (z = 3))',
    ],
    ['select a from t where x = 1 and y = 2', 'select a from t where y = 2 and x = 1'],
    ['select a from t where x <> 1 and y > 2', 'select a from t where 1 != x and 2 < y'],
    ['select a from t where x in (1, 2)', 'select a from t where x in (2, 1, 1)'],
    ['select a from t where x between 1 and 2', 'select a from t where x >= 1 and x <= 2'],
    ['select a from t where not x is null', 'select a from t where x is not null'],
    ['select a from t where not (x in (1))', 'select a from t where x not in (1)'],
    ['with s as (select * from t) select a from s', 'with source as (select * from t) select a from source'],
    ['with s as (select * from t) select a from s', 'select a from t'],
    ['with s as (select a, b from t where x) select a from s', 'select q.a from (select a, b from t where x) as q'],
    ['with s as (select a from t), u as (select 1) select a from s', 'with s as (select a from t) select a from s'],
    ['select o.a, c.b from o join c on o.id = c.id', 'select x.a, y.b from o as x inner join c as y on y.id = x.id'],
    ['select o.a, c.b from o join c on o.id = c.id where c.z', 'select o.a, c.b from o join c on o.id = c.id and c.z'],
    ['select o.a from o left join c on o.id = c.id', 'select o.a from o left outer join c on c.id = o.id'],
    ['select o.a from o cross join c', 'select o.a from o, c'],
    ['select a, sum(b) as s from t group by a', 'select a, sum(b) as s from t group by 1'],
    ['select a, b, sum(c) as s from t group by a, b', 'select a, b, sum(c) as s from t group by 2, 1'],
    ['select coalesce(a, 0) as a from t', 'select ifnull(a, 0) a from t'],
    ['select cast(a as int) as a from t', 'select a::int as a from t'],
    ['select case when a then 1 end as x from t', 'select case when a then 1 else null end as x from t'],
    ['select count(*) as n from t', 'select count(1) as n from t'],
    ['select a from t union all select a from u', 'select a from u union all select a from t'],
    [
      'select a from t where a = (select b from u) union select c from w',
      '(select a from t where (a = (select b from u))) union (select c from w)',
    ],
    [
      'select a from t union all (select a from u union all select a from v)',
      'select a from t union all (select a from u union all select a from v)',
    ],
    [
      'select row_number() over (partition by a order by b) as n from t',
      'select row_number() over w as n from t window w as (partition by a order by b)',
    ],
    ['select a from t order by a', 'select a from t'],
    ['select A, "B" from T', 'select a, "B" from t', 'postgres'],
    ['select `a` from `p.d.t`', 'select a from `p`.`d`.`t` -- the same', 'bigquery'],
    [
      'select a from t qualify row_number() over (partition by a order by b) = 1',
      'SELECT a FROM t QUALIFY 1 = ROW_NUMBER() OVER (PARTITION BY a ORDER BY b)',
      'snowflake',
    ],
  ];
  it.each(pairs.map((pair) => ({ pair, name: pair.join(' and ') })))('makes $name the same', ({ pair }) => {
    const [before, after, dialect] = pair;
    expect(compared(before, after, dialect)).toMatchObject({ kind: 'same' });
    expect(compared(after, before, dialect)).toMatchObject({ kind: 'same' });
  });
});

type Expected = { readonly kinds: readonly string[]; readonly rows: boolean; readonly columns?: readonly string[] };
const rows = (...kinds: string[]): Expected => ({ kinds, rows: true });
const column = (name: string, kind = 'formula_changed'): Expected => ({ kinds: [kind], rows: false, columns: [name] });

describe('what two versions of a statement say differently (C-DIFF-6)', () => {
  const pairs: readonly (readonly [string, string, Expected, SqlDialect?])[] = [
    ["select a from t where s <> 'returned'", "select a from t where s <> 'placed'", rows('filter_changed')],
    ["select a from t where s = 'Placed'", "select a from t where s = 'placed'", rows('filter_changed')],
    ['select a from t where x and y', 'select a from t where x or y', rows('filter_changed')],
    ['select a from t', 'select a from t where a is not null', rows('filter_changed')],
    ['select a from t limit 10', 'select a from t limit 100', rows('filter_changed')],
    ['select a from t order by a limit 10', 'select a from t order by b limit 10', rows('filter_changed')],
    [
      'select a from t order by b desc nulls last limit 1',
      'select a from t order by b desc nulls first limit 1',
      rows('filter_changed'),
    ],
    [
      'select a, sum(b) as s from t group by 1 having sum(b) > 1',
      'select a, sum(b) as s from t group by 1 having sum(b) > 2',
      rows('filter_changed'),
    ],
    [
      'select a from t qualify row_number() over (partition by a order by b) = 1',
      'select a from t qualify row_number() over (partition by a order by c) = 1',
      rows('filter_changed'),
      'snowflake',
    ],
    ['select o.a from o left join c on o.id = c.id', 'select o.a from o join c on o.id = c.id', rows('join_changed')],
    [
      'select o.a from o left join c on o.id = c.id',
      'select o.a from o left join c on o.id = c.oid',
      rows('join_changed'),
    ],
    ['select o.a from o left join c using (id)', 'select o.a from o left join c using (id, k)', rows('join_changed')],
    ['select distinct a from t', 'select a from t', rows('grouping_changed')],
    ['select a, sum(b) as s from t group by a', 'select a, sum(b) as s from t group by a, c', rows('grouping_changed')],
    ['select a from t union all select a from u', 'select a from t union select a from u', rows('grouping_changed')],
    ['select a from t union all select a from u', 'select a from t union all select a from v', rows('source_changed')],
    [
      'select a from t union all select a from u',
      'select a from t union all select a from u where z',
      rows('filter_changed'),
    ],
    ['select a from raw.t', 'select a from raw.t_v2', rows('source_changed')],
    [
      'with recursive r as (select a, 1 as n from t union all select u.a, r.n + 1 from r join u on u.b = r.a where r.n < 9) select a from r',
      'with recursive r as (select a, 5 as n from t union all select u.a, r.n + 1 from r join u on u.b = r.a where r.n < 9) select a from r',
      rows('formula_changed'),
    ],
    ['select a, b.unnest() as b from t', 'select a, c.unnest() as b from t', rows('source_changed', 'formula_changed')],
    ["select columns('a|b') from t", "select columns('a|c') from t", rows('formula_changed')],
    ['select a, max(b) from t group by a', 'select a, max(c) from t group by a', rows('formula_changed')],
    [
      'select t.a from t natural join (select a, b from u) as u',
      'select t.a from t natural join (select a from u) as u',
      rows('statement_changed'),
    ],
    [
      'with s as (select a, b from t where x) select * from (unpivot s on a, b into name k value v)',
      'with s as (select a, b from t where y) select * from (unpivot s on a, b into name k value v)',
      rows('filter_changed'),
    ],
    [
      "select * from t pivot (sum(a) for b in ('x', 'y'))",
      "select * from t pivot (sum(a) for b in ('y', 'x'))",
      rows('source_changed', 'formula_changed'),
    ],
    [
      'select k, v from (select a, b from t) unpivot (v for k in (a, b))',
      'select k, v from (select a, b as B from t) unpivot (v for k in (a, b))',
      rows('statement_changed'),
    ],
    [
      'with s as (select a from u where x) select a from t where a in s',
      'with s as (select a from u where y) select a from t where a in s',
      rows('filter_changed'),
      'clickhouse',
    ],
    ['select a from t as x(a, b)', 'select a from t as x(b, a)', rows('source_changed')],
    ['select a, coalesce(b, 0) as b from t', 'select a, coalesce(b, 1) as b from t', column('b')],
    ['select a, b::int as b from t', 'select a, b::bigint as b from t', column('b')],
    ['select a, b::decimal(10, 2) as b from t', 'select a, b::decimal(12, 2) as b from t', column('b')],
    [
      "select a, case when x then 'p' else 'q' end as b from t",
      "select a, case when x then 'p' else 'r' end as b from t",
      column('b'),
    ],
    ["select a, j ->> 'x' as b from t", "select a, j ->> 'y' as b from t", column('b')],
    ["select a, date_trunc('week', d) as b from t", "select a, date_trunc('month', d) as b from t", column('b')],
    ['select a, count(b) as n from t group by a', 'select a, count(distinct b) as n from t group by a', column('n')],
    [
      'select a, sum(b) over (order by c rows between 1 preceding and current row) as n from t',
      'select a, sum(b) over (order by c rows between 2 preceding and current row) as n from t',
      column('n', 'window_changed'),
    ],
    [
      'select a, lag(b) over (partition by a order by c) as n from t',
      'select a, lag(b) over (partition by a order by c desc) as n from t',
      column('n', 'window_changed'),
    ],
    [
      'with s as (select id, coalesce(x, 0) as x from t) select id, x from s',
      'with s as (select id, coalesce(x, 1) as x from t) select id, x from s',
      column('x'),
    ],
    [
      'with s as (select id, coalesce(x, 0) as x from t) select id from s where x > 1',
      'with s as (select id, coalesce(x, 1) as x from t) select id from s where x > 1',
      rows('formula_changed'),
    ],
    [
      'with s as (select id, x from t where k) select * from s',
      'with s as (select id, x from t where l) select * from s',
      rows('filter_changed'),
    ],
    [
      'with s as (select id from t) select o.id from o join s on o.id = s.id',
      'with s as (select id from t where z) select o.id from o join s on o.id = s.id',
      rows('filter_changed'),
    ],
    [
      'select a from t where id in (select id from u)',
      'select a from t where id in (select id from u where z)',
      rows('filter_changed'),
    ],
    ['select unnest(a) as x from t', 'select unnest(b) as x from t', rows('source_changed', 'formula_changed')],
    [
      'select a, (select max(x) from u where u.id = t.id) as m from t',
      'select a, (select min(x) from u where u.id = t.id) as m from t',
      column('m'),
    ],
    ['select * from t', 'select * exclude (a) from t', rows('formula_changed')],
    ['select a from t tablesample (10 percent)', 'select a from t tablesample (20 percent)', rows('source_changed')],
  ];
  it.each(pairs.map((pair) => ({ pair, name: pair.slice(0, 2).join(' and ') })))('names $name', ({ pair }) => {
    const [before, after, { kinds, rows: hasRows, columns = [] }, dialect] = pair;
    for (const found of [compared(before, after, dialect), compared(after, before, dialect)]) {
      expect(found).toMatchObject({ kind: 'changed', rows: hasRows, columns });
      if (found.kind === 'changed') expect([...new Set(found.differences.map(({ kind }) => kind))]).toEqual(kinds);
    }
  });

  it('shows both versions of a clause, and nothing of those that are equal', () => {
    const found = compared(
      "with s as (select id, status from raw.orders where status <> 'returned') select s.id, c.name from s left join c on s.id = c.id",
      "with src as (select id, status from raw.orders where status <> 'placed') select src.id, c.name from src join c on src.id = c.id",
    );
    expect(found).toMatchObject({
      differences: [
        { kind: 'join_changed', before: 'left join c on s.id = c.id', after: 'inner join c on src.id = c.id' },
        { kind: 'filter_changed', before: "status <> 'returned'", after: "status <> 'placed'" },
      ].sort((a, b) => (a.kind < b.kind ? -1 : 1)),
    });
  });

  it('compares what a tool inlines where it is read', () => {
    const reader = (inner: string): StatementVersion => ({
      ...version('select id from __dbt__cte__e'),
      inlined: inner,
      reads: ([name]) => (name?.text === '__dbt__cte__e' ? version(inner) : null),
    });
    const [one, two] = [reader('select id from t where a'), reader('select id from t where b')];
    expect(compareStatements(parser, one, two)).toMatchObject({ kind: 'changed', rows: true });
    expect(compareStatements(parser, one, reader('select id from t where (a)'))).toMatchObject({ kind: 'same' });
  });

  it('says that it does not compare what it cannot parse, unless both are one text', () => {
    const text = 'select from where (';
    expect(compared(text, `${text})`)).toEqual({ kind: 'not_compared', reason: 'statement_cannot_be_parsed' });
    expect(compared(text, text)).toMatchObject({ kind: 'same', isWritten: true });
  });
});

describe('SQLMesh’s view of a changed statement (C-DIFF-7)', () => {
  it.each<readonly [string, string, 'breaking' | 'non_breaking' | null]>([
    ['select a from t', 'select a, b from t', 'non_breaking'],
    ['select a, c from t', 'select a, b + 1 as b, c from t', 'non_breaking'],
    [
      'with s as (select a from t) select a from s',
      'with s as (select a, b from t) select a, b from s',
      'non_breaking',
    ],
    ['select a from t union all select a from u', 'select a, b from t union all select a, b from u', 'non_breaking'],
    ['select a from t', 'select a, unnest(b) as b from t', 'breaking'],
    ['select a from t', 'select a, (select max(x) from unnest(t.b) as u(x)) as b from t', 'non_breaking'],
    ['select a, b from t', 'select b, a from t', 'breaking'],
    ['select a, b from t', 'select a from t', 'breaking'],
    ['select a from t', 'select a + 1 as a from t', 'breaking'],
    ['select a from t', 'select a, b from t where c', 'breaking'],
    ['select a from t', '-- a comment\nselect (a) from T', null],
  ])('is of %s and %s what its categorizer says', (before, after, category) => {
    const found = compared(before, after);
    expect(found.kind === 'not_compared' ? undefined : found.category).toBe(category);
  });
});

/** A verdict in lines: what may differ, then each difference with both versions. */
function showVerdict(found: StatementComparison): string {
  if (found.kind === 'not_compared') return `not compared: ${found.reason}`;
  if (found.kind === 'same')
    return ['same', found.isWritten ? 'as written' : '', found.category ?? ''].join(' ').trim();
  const { rows: hasRows, columns, added, removed, isBesideStar, differences, category } = found;
  const lists = Object.entries({ columns, added, removed }).filter(([, names]) => names.length > 0);
  const parts = [
    ...(hasRows ? ['rows'] : []),
    ...lists.map(([key, names]) => `${key} ${names.join(' ')}`),
    ...(isBesideStar ? ['beside a star'] : []),
  ];
  const shown = differences.map(
    ({ kind, column: name, before, after }) => `${kind}${name === null ? '' : ` ${name}`}: ${before} => ${after}`,
  );
  return [`${category}: ${parts.join(', ')}`, ...shown].join('\n');
}

/** Blocks of `-- dialect`, a statement, `= ` and its later version, and what is expected, with empty lines between. */
const changes = readFileSync(new URL('../../../fixtures/sql/changes.sql', import.meta.url), 'utf8')
  .split(/\n\s*\n/)
  .map((block) => {
    const [head = '', before = '', after = '', ...expected] = block.trim().split('\n');
    const dialect = dialectNamed(head.slice(3)) ?? 'ansi';
    return { dialect, before, after: after.slice(2), expected: expected.map((line) => line.slice(3)).join('\n') };
  });

it.each(changes)('tells in $dialect how $before became $after (C-DIFF-6)', ({ dialect, before, after, expected }) => {
  expect(showVerdict(compared(before, after, dialect))).toBe(expected);
});

const corpora = ['dialects', 'expressions', 'fields', 'names', 'queries', 'rewritten', 'sources', 'stars'];
const statements = corpora.flatMap((name) => labelledStatements(name));

it('finds every word that means something else, in all dialects (C-DIFF-6)', () => {
  const overlooked: string[] = [];
  let tried = 0;
  for (const { sql, dialect } of statements)
    for (const { text, what } of mutationsOf(sql, dialect)) {
      tried++;
      if (compared(sql, text, dialect).kind === 'same') overlooked.push(`${dialect} ${what}: ${sql}`);
    }
  expect(overlooked).toEqual([]);
  expect(tried).toBeGreaterThan(500);
}, 120_000);

it('finds no difference in white space and comments, in all dialects', () => {
  for (const { sql, dialect } of statements) {
    const tokens = tokensOf(sql, dialect);
    const spaced = tokens.map(({ text, start }, place) =>
      tokens[place - 1]?.end === start || place === 0 ? text : `\n  /* c */ ${text}`,
    );
    const found = compared(sql, spaced.join(''), dialect);
    expect([sql, found.kind === 'same' || `${JSON.stringify(found)}`]).toEqual([sql, true]);
  }
}, 120_000);

describe('statements that give other rows, or fail', () => {
  it.each([
    'select k from u where exists (select 1 from t where X = 1)',
    'select k from u where k not in (select X from t)',
    'select k, (select max(X) from t) as m from u',
    'select u.k, u.x from u where u.x = 1 and exists (select 1 from t where t.k = u.k and X = 1)',
    'select k from (select k, x from r) u where exists (select 1 from t where X = 1)',
    'select k from u where exists (select 1 from (select a from t where X = 1) q)',
    'select k from u, lateral (select a from t where X = 1) q',
    'delete from u where exists (select 1 from t where X = 1)',
  ])('may read a column of the inner relation, if the other names the outer one: %s', (text) => {
    const [inner, outer] = [text.replace('X', 'x'), text.replace('X', 'u.x')];
    expect(compared(inner, outer).kind).toBe('changed');
    expect(compared(outer, inner).kind).toBe('changed');
  });

  it.each<readonly [string, string, SqlDialect]>([
    ...(
      ['postgres', 'mysql', 'duckdb', 'tsql', 'spark', 'trino', 'redshift', 'databricks', 'snowflake'] as const
    ).flatMap((dialect) =>
      ['union', 'except'].map(
        (word) =>
          [
            `select a from t ${word} select a from u intersect select a from v`,
            `(select a from t ${word} select a from u) intersect select a from v`,
            dialect,
          ] as const,
      ),
    ),
    ['select a from t', 'select a from t order by nosuch', 'postgres'],
    ['select a from t', 'select a from t order by 2', 'postgres'],
    [
      'with c as (select a from t) select a from c',
      'with c as (select a from t) select a from c order by b',
      'postgres',
    ],
    [
      'with c as (select a, max(b) as b from t group by a) select a from c',
      'with c as (select a, b from t group by a) select a from c',
      'postgres',
    ],
    ['select a, sum(b) as n from t group by a', 'select a, sum(b) as n from t group by a order by b', 'duckdb'],
    ['select max(b) as n from t', 'select max(b) as n from t order by b', 'postgres'],
    ['select distinct a from t where b > 0', 'select distinct a from t where b > 0 order by b', 'postgres'],
    [
      'select a from t order by a with fill from 1 to 3',
      'select a from t order by a with fill from 1 to 5',
      'clickhouse',
    ],
    ['select a from t order by b with fill', 'select a from t order by b', 'clickhouse'],
    ['select a from t /*!50000 where a = 1 */', 'select a from t /*!50000 where a = 2 */', 'mysql'],
    ['select @n := @n + 1 as n, a from t order by b', 'select @n := @n + 1 as n, a from t order by c', 'mysql'],
  ])('are never the same: %s and %s (%s)', (before, after, dialect) => {
    expect(compared(before, after, dialect).kind).not.toBe('same');
  });

  it.each<readonly [string, string, SqlDialect]>([
    [
      'select a from t minus select a from u intersect select a from v',
      '(select a from t minus select a from u) intersect select a from v',
      'oracle',
    ],
    [
      'select a from t except select a from u intersect select a from v',
      'select a from t except (select a from u intersect select a from v)',
      'postgres',
    ],
    ['select a, b from t', 'select a, b from t order by 2', 'postgres'],
  ])('are the same where the dialect says so: %s and %s (%s)', (before, after, dialect) => {
    expect(compared(before, after, dialect).kind).toBe('same');
  });
});
