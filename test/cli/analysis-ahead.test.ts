import { expect, it, vi } from 'vitest';
import { withAnalysisAhead } from '../../cli/offline/analysis-ahead.ts';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { readMatcher } from '../../shared/domain/lineage/sources/models/match-read.ts';
import { analyseSql } from '../../shared/domain/lineage/sql/analyse-sql.ts';

const members = [
  { id: 'orders', names: [['crm', 'core', 'orders']], columns: { names: ['id', 'amount'], complete: true } },
  { id: 'owners', names: [['crm', 'core', 'owners']], columns: { names: ['id', 'name'], complete: true } },
];
const columnsOf = (read: Parameters<ReturnType<typeof readMatcher>>[0]) => readMatcher(members)(read)?.columns ?? null;
const shapes = [
  (n: number) =>
    `select o.id as id_${n}, sum(o.amount) over (partition by w.name) as total from core.orders o join core.owners w using (id)`,
  (n: number) =>
    `with a as (select * from "crm"."core"."orders") select *, 'é ${n}' as label from a where amount > ${n}`,
];
const statements = Array.from({ length: 400 }, (_, n) => ({
  text: shapes[n % 2]?.(n) ?? '',
  dialect: 'postgres' as const,
  members,
}));

it('a thread analyses statements as the command does, from the same columns and within its budget (C-FILES-1)', async () => {
  const plain = await loadSqlParser();
  const parser = withAnalysisAhead(plain);
  parser.ahead?.(statements);
  const first = { dialect: 'postgres', columnsOf } as const;
  await vi.waitFor(() => expect(parser.analysed?.(statements[0]?.text ?? '', first)).not.toBeNull(), 60_000);
  for (const { text } of statements) {
    const [own, others] = [{ left: 1_000 }, { left: 1_000 }];
    const analysis = parser.analysed?.(text, { ...first, budget: own });
    expect(analysis).toEqual(analyseSql(plain, text, { ...first, budget: others }));
    expect(own).toEqual(others);
    expect(parser.analysed?.(text, { ...first, budget: { left: 1 } })).toBeNull();
    expect(parser.analysed?.(text, { ...first, columnsOf: () => null })).toBeNull();
  }
});

it('a thread leaves what it cannot analyse to the command', async () => {
  const parser = withAnalysisAhead(await loadSqlParser());
  const [good] = statements;
  parser.ahead?.([
    ...(good ? [good] : []),
    ...statements.map((one, n) => ({ ...one, text: `select ${'('.repeat(5_000)}${n}` })),
  ]);
  const options = { dialect: 'postgres', columnsOf } as const;
  await vi.waitFor(() => expect(parser.analysed?.(good?.text ?? '', options)).not.toBeNull(), 60_000);
  expect(parser.analysed?.(`select ${'('.repeat(5_000)}1`, options)).toBeNull();
});
