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

it('tells names apart by their case if a statement makes values of them (C-DIFF-6)', () => {
  const packed = compared('select struct_pack(a := b) as s from t', 'select struct_pack(A := b) as s from t');
  expect(packed).toMatchObject({ kind: 'changed', rows: true });
  const mapped = compared(
    'select list_transform(a, x -> x + 1) as l from t',
    'select list_transform(a, X -> x + 1) as l from t',
  );
  expect(mapped).toMatchObject({ kind: 'changed', rows: true });
});

it('follows a named window to the one that it adds to (C-DIFF-6)', () => {
  const windows = (first: string) =>
    `select sum(a) over w as s from t window v as (partition by ${first}), w as (v order by c)`;
  expect(compared(windows('a'), windows('b'))).toMatchObject({ kind: 'changed', columns: ['s'] });
});

it('tells a random value that is read twice from two random values (C-DIFF-6)', () => {
  const once = 'with s as (select a, random() as r, random() as q from t) select a, r, r as again from s';
  expect(compared(once, 'select a, random() as r, random() as again from t')).toMatchObject({
    kind: 'changed',
    columns: ['again'],
  });
  expect(compared(once, once.replace('r as again', 'q as again'))).toMatchObject({
    kind: 'changed',
    columns: ['again'],
  });
  expect(compared(once, once.replaceAll(/\bs\b/g, 'u'))).toMatchObject({ kind: 'same' });
});

it('takes a path that begins with the name of another item for its elements, if it can be (C-DIFF-6)', () => {
  const ofBigQuery = (text: string) => ({ ...version(text), dialects: ['bigquery' as const] });
  const elements = (first: string, second: string) =>
    ofBigQuery(`select ${first}.a from d.x ${first}, d.y ${second} where exists (select 1 from t.arr)`);
  expect(compareStatements(parser, elements('t', 'u'), elements('u', 't'))).toMatchObject({ kind: 'changed' });
  const beside = (first: string, second: string) => ofBigQuery(`select e.b from d.x ${first}, d.y ${second}, t.arr e`);
  expect(compareStatements(parser, beside('t', 'u'), beside('u', 't'))).toMatchObject({ kind: 'changed', rows: true });
  const renamed = (name: string) => ofBigQuery(`select ${name}.a from d.x ${name} where ${name}.b > 1`);
  expect(compareStatements(parser, renamed('t'), renamed('u'))).toMatchObject({ kind: 'same' });
});
