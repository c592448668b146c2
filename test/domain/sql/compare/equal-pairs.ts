import { readFileSync } from 'node:fs';
import { dialectNamed, type SqlDialect } from '../../../../shared/domain/lineage/sql/dialect.ts';

/** Two statements that a rule makes the same, and others that miss its precondition. Without a dialect DuckDB runs them. */
export type EqualPair = {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
  readonly others: readonly string[];
  readonly dialect?: SqlDialect;
};

/** Contents of the relations: with NULLs and repeated rows, with one of them empty, and with both sparse. */
export const relations: readonly (readonly string[])[] = [
  [
    `create or replace table a as select * from (values (1, 1, 'p'), (1, 1, 'p'), (1, null, 'q'), (2, 1, null), (2, 2, 'p'), (2, 2, 'q'),
      (null, 1, 'q'), (null, null, null), (3, 0, 'q')) t(k, x, s)`,
    `create or replace table b as select * from (values (1, 1), (1, 2), (2, null), (2, null), (null, 1), (null, 2), (4, 0)) t(k, y)`,
  ],
  [
    `create or replace table a as select * from (values (1, 2, 'p'), (2, 1, 'q'), (0, null, null)) t(k, x, s)`,
    `create or replace table b as select k, y from (values (1, 1)) t(k, y) where false`,
  ],
  [
    `create or replace table a as select k, x, s from (values (1, 1, 'p')) t(k, x, s) where false`,
    `create or replace table b as select * from (values (1, 1), (1, 1), (2, null), (0, 1), (null, 0)) t(k, y)`,
  ],
];

/**
 * Pairs of a file: `-- rule`, or `-- dialect | rule`, the statement, `= ` and the equal one, and the others, each after
 * `! `, with empty lines between.
 */
const listedPairs: readonly EqualPair[] = readFileSync(
  new URL('../../../fixtures/sql/pairs.sql', import.meta.url),
  'utf8',
)
  .split(/\n\s*\n/)
  .map((block) => {
    const [head = '', before = '', ...lines] = block.trim().split('\n');
    const [rule = '', name] = head.slice(3).split(' | ').toReversed();
    const dialect = name === undefined ? null : dialectNamed(name);
    const [after = '', ...others] = lines.map((line) => line.slice(2));
    return { rule, before, after, others, ...(dialect && { dialect }) };
  });

const joined = (join: string, rest = '') => `select a.x, b.y from a ${join} b on a.k = b.k${rest}`;

export const equalPairs: readonly EqualPair[] = [
  ...listedPairs,
  {
    rule: 'a condition that no NULL meets makes a left join an inner one',
    before: joined('left join', ' where b.y > 0'),
    after: joined('join', ' and b.y > 0'),
    others: [
      joined('left join', ' and b.y > 0'),
      joined('join', ' and (b.y > 0 or b.y is null)'),
      joined('left join', ' where coalesce(b.y, 1) > 0'),
    ],
  },
  {
    rule: 'a condition on one side of a full join makes it a left one',
    before: joined('full join', ' where a.x = 1'),
    after: joined('left join', ' where a.x = 1'),
    others: [joined('right join', ' where a.x = 1'), joined('join', ' where a.x = 1')],
  },
  {
    rule: 'a right join is a left join the other way round',
    before: joined('right join'),
    after: 'select a.x, b.y from b left join a on a.k = b.k',
    others: [joined('left join'), 'select a.x, b.y from b left join a on a.x = b.k'],
  },
  {
    rule: 'USING is ON with equal names',
    before: 'select a.x, b.y from a join b using (k)',
    after: joined('join'),
    others: ['select a.x, b.y from a join b on a.k is not distinct from b.k'],
  },
  {
    rule: 'a join compares no NULL',
    before: joined('join'),
    after: joined('join', ' where a.k is not null'),
    others: [joined('join', ' where a.x is not null'), joined('join', ' where a.k is null')],
  },
  {
    rule: 'a filter may be within the query that is joined',
    before: joined('join', ' where b.y = 1'),
    after: 'select a.x, q.y from a join (select k, y from b where y = 1) q on q.k = a.k',
    others: ['select a.x, q.y from a join (select k, y from b where k = 1) q on q.k = a.k'],
  },
  {
    rule: 'a computed column of the nullable side is null without a match',
    before: 'select a.x, q.z from a left join (select k, y + 1 as z from b) q on q.k = a.k',
    after: 'select a.x, b.y + 1 as z from a left join b on b.k = a.k',
    others: ['select a.x, coalesce(b.y, 0) + 1 as z from a left join b on b.k = a.k'],
  },
  {
    rule: 'a value for NULL within the nullable side is none outside of it',
    before: 'select a.x, q.z from a left join (select k, coalesce(y, 0) as z from b) q on q.k = a.k',
    after: 'select a.x, q.z from (select k, coalesce(y, 0) as z from b) q right join a on q.k = a.k',
    others: ['select a.x, coalesce(b.y, 0) as z from a left join b on b.k = a.k'],
  },
  {
    rule: 'IN is EXISTS',
    before: 'select x from a where k in (select k from b)',
    after: 'select x from a where exists (select 1 from b where b.k = a.k)',
    others: [
      'select x from a where k not in (select k from b)',
      'select a.x from a join b on a.k = b.k',
      'select x from a where exists (select 1 from b where b.k = a.x)',
    ],
  },
  {
    rule: 'a semi join is EXISTS',
    before: 'select a.x from a semi join b on a.k = b.k',
    after: 'select x from a where k in (select distinct k from b)',
    others: ['select a.x from a anti join b on a.k = b.k'],
  },
  {
    rule: 'an anti join is NOT EXISTS',
    before: 'select a.x from a anti join b on a.k = b.k',
    after: 'select x from a where not exists (select 1 from b where b.k = a.k)',
    others: ['select x from a where k not in (select k from b)'],
  },
  {
    rule: 'HAVING on a key is WHERE',
    before: 'select k, sum(x) as n from a group by k having k > 1',
    after: 'select k, sum(x) as n from a where k > 1 group by k',
    others: [
      'select k, sum(x) as n from a where x > 1 group by k',
      'select k, sum(x) as n from a group by k having sum(x) > 1',
    ],
  },
  {
    rule: 'a filter of a grouped query is HAVING',
    before: 'select k, n from (select k, count(*) as n from a group by k) q where n > 1',
    after: 'select k, count(*) as n from a group by k having count(*) > 1',
    others: ['select k, count(*) as n from a group by k having count(x) > 1'],
  },
  {
    rule: 'QUALIFY is a filter of the query with the window',
    before: 'select k, x from a qualify count(*) over (partition by k) = 1',
    after: 'select k, x from (select k, x, count(*) over (partition by k) as n from a) q where n = 1',
    others: ['select k, x from a qualify count(x) over (partition by k) = 1'],
  },
  {
    rule: 'DISTINCT groups by all columns',
    before: 'select distinct k, x from a',
    after: 'select k, x from a group by k, x',
    others: ['select k, x from a', 'select k, any_value(x) as x from a group by k'],
  },
  {
    rule: 'what is grouped again needs no DISTINCT',
    before: 'select q.k, max(q.x) as n from (select distinct k, x from a) q join b on b.k = q.k group by q.k',
    after: 'select a.k, max(a.x) as n from a join b on b.k = a.k group by a.k',
    others: ['select a.k, max(a.x) as n from a left join b on b.k = a.k group by a.k'],
  },
  {
    rule: 'a sum counts what DISTINCT removes',
    before: 'select k, sum(x) as n from (select distinct k, x from a) q group by k',
    after: 'select k, sum(distinct x) as n from a group by k',
    others: [
      'select k, sum(x) as n from a group by k',
      'select k, sum(x) as n from (select distinct k, x, s from a) q group by k',
    ],
  },
  {
    rule: 'a left join that nothing reads only repeats rows',
    before: 'select a.k, max(a.x) as n from a left join b on a.k = b.k group by a.k',
    after: 'select k, max(x) as n from a group by k',
    others: ['select a.k, max(a.x) as n from a join b on a.k = b.k group by a.k'],
  },
  {
    rule: 'a left join with one row that nothing reads adds nothing',
    before: 'select a.x from a left join (select count(*) as n from b) q on q.n > a.k',
    after: 'select x from a',
    others: ['select a.x from a left join (select k, count(*) as n from b group by k) q on q.n > a.k'],
  },
  {
    rule: 'rows that are proven unique need no DISTINCT',
    before: 'select distinct q.k, r.y from (select distinct k from a) q cross join (select distinct y from b) r',
    after: 'select q.k, r.y from (select distinct k from a) q cross join (select distinct y from b) r',
    others: ['select q.k, r.y from (select k from a) q cross join (select distinct y from b) r'],
  },
  {
    rule: 'UNION ALL of unique rows that a literal tells apart is UNION',
    before: "select distinct k, 'a' as t from a union all select distinct k, 'b' as t from b",
    after: "select k, 'a' as t from a union select k, 'b' as t from b",
    others: [
      "select k, 'a' as t from a union all select k, 'b' as t from b",
      "select distinct k, 'a' as t from a union all select distinct k, 'a' as t from b",
    ],
  },
  {
    rule: 'UNION removes what branches repeat',
    before: 'select k from a union select k from b',
    after: 'select distinct k from (select distinct k from a union all select k from b) q',
    others: ['select k from a union all select k from b'],
  },
  {
    rule: 'the branches of a nested UNION ALL are those of the UNION ALL around it',
    before: 'select k from a union all (select k from b union all select x from a)',
    after: '(select k from a union all select x from a) union all select k from b',
    others: [
      'select k from a union all (select k from b union select x from a)',
      '(select k from a union select x from a) union all select k from b',
    ],
  },
  {
    rule: 'columns of UNION ALL are chosen before or after it',
    before: 'select k from (select k, x from a union all select k, y from b) q',
    after: 'select k from a union all select k from b',
    others: [
      'select x from (select k, x from a union all select k, y from b) q',
      'select k from a union all select y from b',
    ],
  },
  {
    rule: 'a constant is no key beside others',
    before: 'select k, max(x) as n from a group by k, 1 + 1',
    after: 'select k, max(x) as n from a group by k',
    others: ['select max(x) as n from a group by 1 + 1'],
  },
  {
    rule: 'one row of values is its constants',
    before: 'select a.k, max(x) as n from a cross join (values (4)) v(four) group by a.k, v.four',
    after: 'select k, max(x) as n from a group by k',
    others: ['select a.k, max(x) as n from a cross join (values (4), (5)) v(four) group by a.k, v.four'],
  },
  {
    rule: 'IF is CASE',
    before: 'select if(x > 1, k, x) as n from a',
    after: 'select case when x > 1 then k else x end as n from a',
    others: ['select case when x > 1 then k end as n from a', 'select case when x <= 1 then x else k end as n from a'],
  },
  {
    rule: 'a branch of CASE that is never reached goes if all results are literals of one type',
    before: "select case when false then 'a' when x > 0 then 'b' when true then 'c' else 'd' end as n from a",
    after: "select case when x > 0 then 'b' else 'c' end as n from a",
    others: [
      "select case when false then 'a' when x > 0 then 'b' when x <= 0 then 'c' else 'd' end as n from a",
      'select case when false then 1.5 when x > 0 then 2 else 3 end as n from a',
    ],
  },
  {
    rule: 'FILTER is a CASE without ELSE',
    before: "select k, sum(x) filter (where s = 'p') as n, count(*) filter (where x > 0) as m from a group by k",
    after: "select k, sum(case when s = 'p' then x end) as n, count(case when x > 0 then 1 end) as m from a group by k",
    others: [
      "select k, sum(case when s = 'p' then x else 0 end) as n, count(case when x > 0 then 1 else 0 end) as m from a group by k",
    ],
  },
  {
    rule: 'the default frame is spelled out',
    before: 'select x, sum(x) over (partition by k order by x) as n from a',
    after:
      'select x, sum(x) over (partition by k order by x range between unbounded preceding and current row) as n from a',
    others: [
      'select x, sum(x) over (partition by k order by x rows between unbounded preceding and current row) as n from a',
    ],
  },
  {
    rule: 'the default order of NULLs is spelled out',
    before: 'select x, rank() over (order by x) as n from a',
    after: 'select x, rank() over (order by x nulls last) as n from a',
    others: ['select x, rank() over (order by x nulls first) as n from a'],
  },
  {
    rule: 'a list is a chain of comparisons',
    before: "select x from a where s in ('p', 'q') and k not in (1, 2)",
    after: "select x from a where (s = 'q' or s = 'p') and k <> 2 and k <> 1",
    others: ["select x from a where (s = 'q' or s = 'p') and (k <> 2 or k <> 1)"],
  },
  {
    rule: 'NOT moves inwards',
    before: "select x from a where not (k = 1 or s = 'p')",
    after: "select x from a where k <> 1 and s <> 'p'",
    others: ["select x from a where k <> 1 or s <> 'p'"],
  },
  {
    rule: 'NULL and false are one in a condition',
    before: 'select x from a where case when k > 1 then true else false end and k is not distinct from 2',
    after: 'select x from a where k > 1 and k = 2',
    others: ['select x from a where case when k > 1 then true else k is null end'],
  },
  {
    rule: 'what is always true filters nothing',
    before: 'select x from a where k is null or k is not null',
    after: 'select x from a',
    others: ['select x from a where k = 1 or k <> 1'],
  },
  {
    rule: 'an aggregate without keys always gives a row',
    before: 'select x from a where exists (select count(*) from b where b.k = a.k)',
    after: 'select x from a',
    others: ['select x from a where exists (select count(*) from b where b.k = a.k group by b.k)'],
  },
  {
    rule: 'zeroifnull and nvl are coalesce',
    before: 'select nvl(a, 0) as a, zeroifnull(b) as b from t',
    after: 'select coalesce(a, 0) as a, coalesce(b, 0) as b from t',
    others: [
      'select coalesce(a, 1) as a, coalesce(b, 0) as b from t',
      'select nvl(a, 0) as a, nullif(b, 0) as b from t',
    ],
    dialect: 'snowflake',
  },
  {
    rule: 'PREWHERE is WHERE',
    before: 'select a from t where x = 1',
    after: 'select a from t prewhere x = 1',
    others: ['select a from t prewhere x = 2'],
    dialect: 'clickhouse',
  },
  {
    rule: 'a pipe is a statement',
    before: 'from t |> where x > 1 |> aggregate sum(v) as s group by k',
    after: 'select k, sum(v) as s from t where x > 1 group by k',
    others: ['select k, sum(v) as s from t where x >= 1 group by k'],
    dialect: 'bigquery',
  },
  {
    rule: 'NULLs are the largest values',
    before: 'select row_number() over (order by d desc) as n, a from t',
    after: 'select row_number() over (order by d desc nulls first) as n, a from t',
    others: ['select row_number() over (order by d desc nulls last) as n, a from t'],
    dialect: 'postgres',
  },
  {
    rule: 'a condition on a union is one on each branch',
    before: "select k from (select k, s from a where s <> 'q' union all select x, s from a) u where s = 'p'",
    after: "select k from (select k, s from a union all select x, s from a where s <> 'r') u where s = 'p'",
    others: [
      "select k from (select k, s from a where s <> 'p' union all select x, s from a) u where s = 'p'",
      "select k from (select k, s from a where s <> 'q' union all select x, s from a) u where s = 'q'",
      "select k from (select k, s from a union all select x, s from a where s <> 'r') u where s <> 'p'",
    ],
  },
  {
    rule: 'a condition on a query in FROM is one of that query, if nothing there depends on other rows',
    before: "select k, y from (select k, x as y, trim(s) as t from a where s <> 'r') q where y = 1",
    after: "select k, y from (select k, x as y, trim(s) as t from a where s <> 'r' and x = 1) q",
    others: [
      "select k, y from (select k, x as y, trim(s) as t from a where s <> 'r' and x = 1 limit 1) q",
      "select k, y from (select k, x as y, trim(s) as t from a where s <> 'q') q where y = 1",
    ],
  },
  {
    rule: 'a default that is not the compared word says only that NULL is another value',
    before: "select k from a where coalesce(s, 'none') = 'p'",
    after: "select k from a where coalesce(s, 'r') = 'p'",
    others: ["select k from a where coalesce(s, 'p') = 'p'", "select k from a where coalesce(s, 'none') <> 'p'"],
  },
  {
    rule: 'a default that is not the compared word is another value than it',
    before: "select k from a where coalesce(s, s, 'none') <> 'p'",
    after: "select k from a where coalesce(s, s, 'r') <> 'p'",
    others: ["select k from a where coalesce(s, s, 'p') <> 'p'", "select k from a where s <> 'p'"],
  },
  {
    rule: 'what each word of a list implies need not be said',
    before: "select k from a where s in ('p', 'r') and s <> 'q'",
    after: "select k from a where s in ('p', 'r')",
    others: ["select k from a where s in ('p', 'q')", "select k from a where s in ('p', 'r') and s <> 'p'"],
  },
  {
    rule: 'GROUP BY ALL groups by the items without aggregates',
    before: 'select k, x + 1 as z, sum(x) as n from a group by all',
    after: 'select k, x + 1 as z, sum(x) as n from a group by k, x + 1',
    others: ['select k, 1 as z, sum(x) as n from a group by all'],
  },
  {
    rule: 'a sum of sums is one of all rows, whatever else the inner groups are by',
    before:
      'select k, sum(n) as n, sum(c) as c from (select k, x, s, sum(x) as n, count(*) as c from a group by k, x, s) g group by k',
    after:
      'select k, sum(n) as n, sum(c) as c from (select k, x, sum(x) as n, count(*) as c from a group by k, x) g group by k',
    others: [
      'select k, sum(n) as n, count(c) as c from (select k, x, s, sum(x) as n, count(*) as c from a group by k, x, s) g group by k',
      'select k, sum(n) as n, sum(c) as c from (select k, x, s, sum(x) as n, count(distinct s) as c from a group by k, x, s) g group by k',
      'select k, sum(distinct n) as n, sum(c) as c from (select k, x, s, sum(x) as n, count(*) as c from a group by k, x, s) g group by k',
      'select k, sum(n) as n, sum(c) as c from (select k, x, sum(x) as n, count(*) as c from a group by k, x having count(*) > 1) g group by k',
    ],
  },
  {
    rule: 'a sum of counts of no group is NULL',
    before: 'select sum(c) as c from (select k, x, count(*) as c from a group by k, x) g',
    after: 'select sum(c) as c from (select x, count(*) as c from a group by x) g',
    others: [
      'select cast(count(*) as hugeint) as c from a',
      'select sum(c) as c from (select count(*) as c from a) g',
      'select max(c) as c from (select x, count(*) as c from a group by x) g',
    ],
  },
  {
    rule: 'a smallest one of the smallest is the smallest, under conditions on keys',
    before:
      'select k + 1 as z, min(m) as m from (select k, x, min(x) as m from a group by k, x) g where k >= 1 group by k + 1',
    after:
      'select k + 1 as z, min(m) as m from (select k, min(x) as m from a where k >= 1 group by k) g group by k + 1',
    others: [
      'select k + 1 as z, min(m) as m from (select k, x, min(x) as m from a group by k, x) g where m > 1 group by k + 1',
      'select k + 1 as z, min(m) as m from (select k, max(x) as m from a where k >= 1 group by k) g group by k + 1',
    ],
  },
  {
    rule: 'a group by place is by the item there, although a relation has the value under two names',
    before: 'select z, count(*) as n from (select k as y, k as z from a) q group by 1',
    after: 'select k as z, count(*) as n from a group by k',
    others: ['select z, count(*) as n from (select k as y, x as z from a) q group by 1'],
  },
];
