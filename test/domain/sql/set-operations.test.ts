import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';

const parser = await loadSqlParser();
const columns: Readonly<Record<string, readonly string[]>> = { t: ['a', 'k'], u: ['e', 'f', 'k2'], w: ['x', 'y'] };
const inner = '(select max(e) from u where k2 = k and f > 1)';

/** A branch with a correlated subquery at each place that can hold one. */
const branches = [
  `select ${inner} from t`,
  `select a from t where a > ${inner}`,
  `select a from t where a in (select e from u where k2 = k and f > 1)`,
  `select a from t where exists (select 1 from u where k2 = k and e > f)`,
  `select max(a) from t group by k having max(a) > ${inner}`,
  `select case when a > ${inner} then 1 end from t`,
  `select coalesce(${inner}, a) from t`,
  `select a from t order by ${inner} limit 1`,
  `select max(a) over (order by ${inner}) from t`,
  `select o from (select a + ${inner} as o from t) q`,
  `select a from t where a > (select max(e) from u where k2 = k and f = (select max(f) from u where k2 = k))`,
];
const operations = ['except', 'except all', 'intersect', 'union', 'union all'];
const shapes = [
  '(%) OP (select x from w)',
  '(select x from w) OP (%)',
  '(%) OP (%)',
  'select o2 from ((select x from w) OP (%)) as q(o2)',
  'with c(o2) as ((%) OP (select x from w)) select o2 from c',
  'select (select max(o2) from ((select x from w where y > a) OP (%)) as q(o2)) from t',
  'select x from w where x in ((select y from w) OP (%))',
];

it.each(operations)('gives each column of a correlated subquery beneath a branch of %s', (operation) => {
  const lost = shapes.flatMap((shape) =>
    branches.flatMap((branch) => {
      const sql = shape.replace('OP', operation).replaceAll('%', branch);
      const { outputs, indirect, unresolvedReason } = analyseSql(parser, sql, {
        dialect: 'duckdb',
        columnsOf: (relation) => ({ names: columns[relation.at(-1)?.text ?? ''] ?? [], complete: true }),
      });
      const provided = new Set([...outputs.flatMap(({ sources }) => sources), ...indirect].map(({ column }) => column));
      const missing = ['a', 'e', 'f', 'k', 'k2', 'x'].filter((name) => isNamed(sql, name) && !provided.has(name));
      return unresolvedReason === null && missing.length === 0 ? [] : [[sql, unresolvedReason, missing]];
    }),
  );
  expect(lost).toEqual([]);
});

const isNamed = (sql: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(sql);
