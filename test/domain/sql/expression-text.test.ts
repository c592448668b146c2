import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { changeOf } from '../../../shared/domain/lineage/graph/derivation.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import { columnsOf } from './statements.ts';

const parser = await loadSqlParser();

/** `source -> output: change, expression` of each source. */
function described(sql: string, dialect: SqlDialect = 'duckdb'): string[] {
  const { outputs } = analyseSql(parser, sql, { dialect, columnsOf });
  return outputs.flatMap(({ column, sources }) =>
    sources.map(
      (source) =>
        `${source.column} -> ${column}: ${changeOf({ ...source, inputColumn: source.column, outputColumn: column })}, ${source.expression}`,
    ),
  );
}

describe('what happens to a column on its way', () => {
  it.each([
    ['select id from accounts', ['id -> id: passthrough, null']],
    ['select id as key from accounts', ['id -> key: renamed, null']],
    ['select id + 1 as n, sum(id) as s from accounts', ['id -> n: derived, id + 1', 'id -> s: aggregated, sum(id)']],
    ['with w as (select upper(owner) as o from accounts) select o as p from w', ['owner -> p: derived, upper(owner)']],
    ['select distinct lower(owner) low from accounts', ['owner -> low: derived, lower(owner)']],
    ["select '😀' as face, 'é' || owner as o from accounts", ["owner -> o: derived, 'é' || owner"]],
    [
      'select (select max(amount) from payments where account_id = id) as most, region from accounts',
      [
        'amount -> most: aggregated, (select max(amount) from payments where account_id = id)',
        'region -> region: passthrough, null',
      ],
    ],
    [
      "select id /* a, b */ + 1, -- c\n owner || ',' as o from accounts",
      ['id -> null: derived, id /* a, b */ + 1', "owner -> o: derived, owner || ','"],
    ],
  ])('%s', (sql, expected) => {
    expect(described(sql)).toEqual(expected);
  });

  it('is at most 500 characters', () => {
    const [text] = described(`select id + ${'1 + '.repeat(300)} 1 as n from accounts`);
    expect(text).toMatch(/…$/);
    expect(text?.length).toBeLessThan(540);
  });
});
