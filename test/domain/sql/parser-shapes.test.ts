import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';

const parser = await loadSqlParser();

/** A tree without what says nothing: absent and empty fields, places in the text, comments. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => key !== 'span' && !key.includes('comments') && !isEmptyField(part))
      .map(([key, part]) => [key, essence(part)]),
  );
}

const isEmptyField = (part: unknown): boolean =>
  part === null || part === false || part === '' || (Array.isArray(part) && part.length === 0);

/** One of each shape that the analysis relies on: a new version of the parser that draws another tree shows itself here. */
it.each<readonly [SqlDialect, string]>([
  [
    'postgres',
    'with recursive w(n) as (select 1 union all select n + 1 from w) select distinct on (n) n from w order by 1',
  ],
  [
    'postgres',
    'select s.t.a, "B" as c, t.*, count(*) from s.t as t(a, b) where a in (select 1) group by 1 having exists (select 1)',
  ],
  [
    'postgres',
    'select a from x join y using (b) natural join z left join lateral (select 1) l on true, (x cross join y) j',
  ],
  ['postgres', 'select sum(a) filter (where b) over (w order by c) from x window w as (partition by d)'],
  [
    'postgres',
    "select case a when 1 then b else c end, coalesce(a, b)::int, array[a], (s).f, j ->> 'k', a[1] from x for update of x",
  ],
  ['postgres', '(select a from x) except (select b from y) order by 1'],
  ['postgres', 'select * from f(x) as t(a int), unnest(l) with ordinality as u(e, n), (values (1, 2)) v(m, n)'],
  ['postgres', 'insert into x (a) select b from y on conflict (a) do update set a = excluded.a'],
  ['postgres', 'create table x (like y)'],
  ['postgres', 'create materialized view x (a) as select b from y'],
  ['postgres', 'update x set a = y.b from y where x.c = y.c'],
  ['postgres', 'delete from x using y where x.a = y.a'],
  [
    'bigquery',
    'select * except (a) replace (b as c), struct(a as f).f, @p, net.host(a), date_trunc(a, month) from `p.d.x`',
  ],
  ['bigquery', 'select e, o from x, unnest(l) as e with offset as o, x.items'],
  ['bigquery', 'select * from x pivot(sum(a) as s for b in (1, 2 as two)) unpivot((c, d) for n in ((e, f) as g))'],
  ['bigquery', 'merge x using y on x.a = y.a when matched then update set b = y.b when not matched then insert row'],
  [
    'snowflake',
    'select f.value:a.b::int, t.$1 from x, lateral flatten(input => x.l) f, @stage t qualify row_number() over (order by a) = 1',
  ],
  ['snowflake', 'select * exclude (a) rename (b as c) from x'],
  ['snowflake', 'select connect_by_root a as r from x connect by prior b = c'],
  ['snowflake', 'insert all into x (a) values (b) select b from y'],
  ['snowflake', 'copy into x (a) from (select $1 from @stage)'],
  ['snowflake', 'create table x clone y'],
  ['duckdb', "from x select columns('a'), {'f': a}, list_transform(l, e -> e + a), a.upper()"],
  ['duckdb', 'pivot x on a using sum(b) group by c'],
  ['duckdb', 'unpivot x on a, b into name n value v'],
  ['duckdb', 'select a from x union by name select b from y'],
  ['duckdb', 'select [e for e in l if e > a] from x'],
  ['spark', 'select a, stack(1, b, c) as (d, e) from x lateral view outer explode(l) t as f'],
  ['spark', 'insert overwrite table x partition (a = 1) select b from y'],
  [
    'clickhouse',
    'with (select 1) as v, 2 as w select quantile(0.5)(a), v from x final array join l as e prewhere b limit 1 by c',
  ],
  ['redshift', 'select e from x, x.l as e at i'],
  ['tsql', 'select a = b, [c] into n from x (nolock) cross apply f(x.d) as t'],
  ['tsql', 'insert into x (a) exec p'],
  ['mysql', 'update x join y on x.a = y.a set x.b = y.b'],
  ['mysql', 'insert into x (a) values (1) on duplicate key update a = values(a)'],
  ['oracle', "select j.n from x, json_table(x.d, '$' columns (n number path '$.n')) j where x.a = 1"],
])('%s: %s', (dialect, sql) => {
  const parsed = parser(sql, dialect);
  expect(parsed.ok ? essence(parsed.statements) : parsed).toMatchSnapshot();
});
