import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import type { ColumnsOf } from '../../../shared/domain/lineage/sql/types.ts';
import { showAnalysis } from './statements.ts';

const parser = await loadSqlParser();

const columnsOf: ColumnsOf = ([name]) => {
  if (name?.text === 'whole') return { names: ['id', 'a'], complete: true };
  return name?.text === 'part' ? { names: ['id', 'b'], complete: false } : null;
};

const shown = (sql: string): string[] =>
  showAnalysis(analyseSql(parser, sql, { dialect: 'snowflake', columnsOf }))
    .split('\n')
    .slice(1);

const incomplete = '*: ? star_over_incomplete_columns';

describe('`*` over a relation', () => {
  it('is its columns if all are known (C-COLUMNS-3)', () => {
    expect(shown('select * from whole')).toEqual(['id: whole.id identity', 'a: whole.a identity']);
  });

  it('is open and has its reason where none is known (C-COLUMNS-4)', () => {
    expect(shown('select * from none')).toEqual(['*: ? star_over_unknown_columns']);
  });

  it('is the columns that are known in part, and stays open (C-COLUMNS-4)', () => {
    expect(shown('select * from part')).toEqual(['id: part.id identity', 'b: part.b identity', incomplete]);
  });

  it('keeps what is known in part through common tables and what follows a star', () => {
    const sql = 'with w as (select * exclude (b) rename (id as key) from part) select w.*, 1 as one from w';
    expect(shown(sql)).toEqual(['key: part.id identity', incomplete, 'one:']);
  });
});

describe('a list in part', () => {
  it('never proves that a column does not exist, as a complete one does (C-COLUMNS-5)', () => {
    expect(shown('select c from whole')).toEqual(['c: ? no relation in scope has a column c']);
    expect(shown('select c from part')).toEqual(['c: part.c identity']);
  });

  it('says which of two relations has a column', () => {
    expect(shown('select b from part, none')).toEqual(['b: part.b identity']);
    expect(shown('select c from part, whole')).toEqual(['c: part.c identity']);
  });

  it('gives no places: what is named or joined by place is not known', () => {
    expect(shown('select q.x from (select * from part) as q(x)')).toEqual(['x: ? star_over_incomplete_columns']);
    expect(shown('select id from (select * from part union all select * from whole)')).toEqual([
      'id: ? a set operation by place of relations with unknown columns',
    ]);
  });

  it('names no target of an INSERT, and the query does not', () => {
    expect(shown('insert into part select a from whole')).toEqual([
      'reads whole',
      '*: whole.a identity, ? insert_into_unknown_columns',
    ]);
  });
});

describe('an INSERT without a list of columns (C-COLUMNS-14)', () => {
  const rows = (dialect: SqlDialect, sql: string) =>
    analyseSql(parser, sql, { dialect, columnsOf }).outputs.map(
      ({ column, sources }) => `${column}: ${sources.map((source) => source.column).join()}`,
    );

  it.each<[SqlDialect, string, string[]]>([
    ['postgres', 'create table t (x int, y int); insert into t select a as y, b from s', ['x: a', 'y: b']],
    ['postgres', 'create table t (x int, y int, z int); insert into t select a, b from s', ['x: a', 'y: b']],
    ['snowflake', 'create table t (x int, y int, z int); insert into t select a, b from s', ['null: a,b']],
    ['tsql', 'create table t (x int identity, y int, z int); insert into t select a, b from s', ['y: a', 'z: b']],
    ['mysql', 'create table t (x int, y int as (x + 1), z int); insert into t select a, b from s', ['x: a', 'z: b']],
    [
      'clickhouse',
      'create table t (x Int8, y Int8 materialized x, z Int8) engine = Log; insert into t select a, b from s',
      ['x: a', 'z: b'],
    ],
    [
      'hive',
      'create table t (x int, p int, d int); insert into t partition (p = 1, d) select a, b from s',
      ['x: a', 'd: b'],
    ],
    ['duckdb', 'create table t (x int, y int); insert into t by name select a as y, b as x from s', ['y: a', 'x: b']],
    [
      'postgres',
      'create table t (x int, y int); alter table t drop column x; insert into t select a from s',
      ['null: a'],
    ],
    ['postgres', 'create table t (x int); drop table t; insert into t select a from s', ['null: a']],
  ])('of %s is by place: %s', (dialect, sql, expected) => {
    expect(rows(dialect, sql)).toEqual(expected);
  });
});
