import { expect, it } from 'vitest';
import { statementKindOf } from '../../../../shared/domain/lineage/sources/openlineage/name-rules.ts';

it.each([
  ['', null],
  ['select a, b from t', null],
  ['with x as (select 1) select * from x', null],
  ['insert into t select 1', 'insert'],
  ['-- insert overwrite\n/* update */ INSERT\n  OVERWRITE TABLE t SELECT 1', 'insert_overwrite'],
  ['with x as (delete from y returning *) insert into t select * from x', 'insert'],
  [
    'with recursive x (a) as (select 1), y as (select 2) merge into t using y on a = b when matched then delete',
    'merge',
  ],
  ['create table t as select 1', 'create_table_as'],
  ['create or replace temporary table "select" (a int)', 'other'],
  ['create table t (a int) as (select 1)', 'create_table_as'],
  ['create table t using parquet as (select 1)', 'create_table_as'],
  ['CREATE OR REPLACE TABLE `p.d.t` PARTITION BY d AS WITH x AS (SELECT 1) SELECT * FROM x', 'create_table_as'],
  ['create table t (a int, update_at timestamp)', 'other'],
  ["create table t (a int) with (format = 'ORC')", 'other'],
  ['create table t clone u', 'create_table_as'],
  ['create or replace view v as select 1', 'create_view'],
  ['create or replace force editionable view v as select 1', 'create_view'],
  ['create materialized view if not exists v as select 1', 'create_materialized_view'],
  ['update t set a = 1', 'update'],
  ['delete from t where a in (select 1)', 'delete'],
  ["copy into t from '@stage'", 'copy'],
  ['select a into t from u', 'select_into'],
  ["select 'into' as a, (select 1 into x) from t", null],
  ['(select 1)', null],
  ['drop table t', 'other'],
  ['grant select on t to u', 'other'],
])('%s is %s', (sql, kind) => {
  expect(statementKindOf(sql)).toBe(kind);
});

it('reads but the head of a text of megabytes', () => {
  expect(statementKindOf(`insert into t values ${'(1, (('.repeat(1_000_000)}`)).toBe('insert');
  expect(statementKindOf('('.repeat(1_000_000))).toBeNull();
});
