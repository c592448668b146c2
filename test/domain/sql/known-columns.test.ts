import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
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
  it('is its columns where all are known (C-COLUMNS-3)', () => {
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

  it('names no target of an INSERT', () => {
    expect(shown('insert into part select a from whole')).toEqual(['reads whole', 'a: whole.a identity']);
  });
});
