import { describe, expect, it } from 'vitest';
import { builtRelation, plainSql } from '../../../shared/domain/agents/artifacts/artifact-sql.ts';

const model = (content: string, path = 'models/core/orders.sql') => ({
  kind: 'dbt_model' as const,
  language: 'sql',
  metadata: {},
  path,
  content,
});

describe('the template of a dbt model', () => {
  it.each([
    ["select 1 from {{ ref('a') }}", 'select 1 from a'],
    [`from {{- ref( "pkg" , 'a', v=2) -}}`, 'from a'],
    ["from {{source('raw', 'b')}}", 'from raw.b'],
    ["{{ config(materialized='table') }}select 1", 'select 1'],
    ['{# a note with {{ this }} #}select 1', 'select 1'],
    ['select 1 {% if is_incremental() %}from {{ this }}{% endif %}', 'select 1 from orders'],
    ["select {{ var('x') }}", "select {{ var('x') }}"],
    ['select {{ 1 {# 2', 'select {{ 1 {# 2'],
  ])('is in "%s" for what it names', (content, sql) => {
    expect(plainSql(model(content))).toBe(sql);
  });

  it('is read once, however many of its tags are open', () => {
    const content = '{{ {% {# '.repeat(100_000);
    expect(plainSql(model(content))).toBe(content);
  });
});

describe('the relation that an artifact makes', () => {
  const named = (...parts: string[]) => parts.map((text) => ({ text, quoted: text.includes(' ') }));
  it('is what its metadata, its statement or its file names', () => {
    expect(builtRelation(model('', 'orders.v2.sql'), null)).toEqual(['orders.v2']);
    expect(builtRelation(model(''), null)).toEqual(['core.orders', 'orders']);
    expect(builtRelation(model(''), named('core', 'my orders'))).toEqual(['core."my orders"']);
    expect(builtRelation({ ...model(''), metadata: { relation_ref: 'a.b' } }, named('c'))).toEqual(['a.b']);
    expect(builtRelation({ ...model(''), kind: 'sql' }, null)).toEqual([]);
  });
});
