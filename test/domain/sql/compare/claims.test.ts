import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { compareStatements } from '../../../../shared/domain/lineage/sql/compare/compare-statements.ts';

const parser = await loadSqlParser();
const version = (text: string) => ({ text, dialects: ['duckdb' as const], inlined: '', reads: () => null });
const compared = (before: string, after: string) => compareStatements(parser, version(before), version(after));

it('claims no equality if a column is read that was not read before: it may not be there (C-DIFF-6)', () => {
  const unread = compared(
    'with s as (select a, b from t) select a from s',
    'with s as (select a, c from t) select a from s',
  );
  expect(unread).toMatchObject({ kind: 'changed', rows: true });
  const fewer = compared(
    'with s as (select a, b from t) select a from s',
    'with s as (select a from t) select a from s',
  );
  expect(fewer).toMatchObject({ kind: 'same' });
});

it('claims no single columns of a result that has two of one name (C-DIFF-6)', () => {
  const found = compared(
    'with s as (select a, b, c from t) select * from s',
    'with s as (select a, b as a, c from t) select * from s',
  );
  expect(found).toMatchObject({ kind: 'changed', rows: true, columns: [] });
});
