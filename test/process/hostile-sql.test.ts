import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../shared/domain/lineage/sql/analyse-sql.ts';
import { tooComplex } from '../../shared/domain/lineage/sql/budget.ts';
import { compareStatements } from '../../shared/domain/lineage/sql/compare/compare-statements.ts';
import type { SqlDialect } from '../../shared/domain/lineage/sql/dialect.ts';
import type { ColumnsOf } from '../../shared/domain/lineage/sql/types.ts';
import { changedInMiddle, hostileShapes } from '../support/hostile-sql.ts';
import { expectGrowth, processorTime } from '../support/processor-time.ts';

const parser = await loadSqlParser();

/** `known…` has three columns; of any other relation nothing is known. */
const columnsOf: ColumnsOf = (relation) =>
  relation.at(-1)?.text.startsWith('known') ? { names: ['id', 'a', 'b'], complete: true } : null;

const times = (count: number, part: (place: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, place) => part(place)).join(between);

const analyse = (sql: string, dialect: SqlDialect) => analyseSql(parser, sql, { dialect, columnsOf });

const growing: readonly (readonly [string, SqlDialect, (count: number) => string])[] = [
  [
    'joins by USING',
    'postgres',
    (n) => `select * from known0 ${times(n, (i) => `join known${i + 1} using (id)`, ' ')}`,
  ],
  ['natural joins', 'postgres', (n) => `select * from known0 ${times(n, (i) => `natural join known${i + 1}`, ' ')}`],
  [
    'joins of unknown relations',
    'postgres',
    (n) => `select id from t0 ${times(n, (i) => `join t${i + 1} using (id)`, ' ')}`,
  ],
  ['items of FROM', 'postgres', (n) => `select x from ${times(n, (i) => `t${i}`)}`],
  ['replaced columns', 'bigquery', (n) => `select * replace (${times(n, (i) => `1 as c${i}`)}) from t`],
  [
    'replaced columns of each other',
    'bigquery',
    (n) =>
      `with w0 as (select * from t), ${times(n, (i) => `w${i + 1} as (select * replace (1 as c${i}) from w${i})`)} select * from w${n}`,
  ],
  [
    'common tables',
    'postgres',
    (n) =>
      `with w0 as (select id from known0), ${times(n, (i) => `w${i + 1} as (select id from w${i})`)} select * from w${n}`,
  ],
  [
    'branches of MERGE',
    'snowflake',
    (n) =>
      `merge into known0 k using t on k.id = t.id ${times(n, (i) => `when matched and t.id = ${i} then update set a = t.c${i}`, ' ')}`,
  ],
  [
    'branches of INSERT',
    'hive',
    (n) => `from known0 ${times(n, (i) => `insert into x${i} select id where a = ${i}`, ' ')}`,
  ],
  ['expressions', 'postgres', (n) => `select ${times(n, (i) => `c${i} + ${i} as d${i}`)} from t`],
  [
    'statements',
    'snowflake',
    (n) =>
      `create temp table s0 as select id from known0; ${times(n, (i) => `create temp table s${i + 1} as select id from s${i};`, ' ')} select * from s${n}`,
  ],
];

describe('four times the text', () => {
  it.each(growing)('costs about four times as much: %s', (_, dialect, text) => {
    const [small, large] = [text(250), text(1000)];
    analyse(large, dialect);
    // A quadratic cost is sixteen times as much; 60 ms are the noise of a small one.
    expectGrowth([() => analyse(small, dialect), () => analyse(large, dialect)], { factor: 9, noise: 60 });
  });
});

describe('the budget of a statement', () => {
  it.each<[string, SqlDialect, string]>([
    ['natural joins', 'postgres', `select * from known0 ${times(10_000, (i) => `natural join known${i + 1}`, ' ')}`],
    [
      'joins by USING',
      'postgres',
      `select * from known0 ${times(10_000, (i) => `join known${i + 1} using (id)`, ' ')}`,
    ],
    ['pivoted values', 'duckdb', `pivot known1 on ${times(8, (i) => `c${i} in (${times(50, String)})`)} using sum(id)`],
    [
      'windows',
      'postgres',
      `select ${times(1000, (i) => `sum(id) over (w${i} order by id)`)} from known0 window w0 as (), ${times(1000, (i) => `w${i + 1} as (w${i})`)}`,
    ],
  ])('ends %s', (_, dialect, sql) => {
    expect(analyse(sql, dialect).unresolvedReason).toBe('statement_too_complex');
  });

  it('holds a row of replaced unknown columns in a constant size each', () => {
    const levels = times(
      25,
      (i) => `w${i + 1} as (select * replace (${times(25, (j) => `${j} as "c""${j}"`)}) from w${i})`,
    );
    const sql = `with w0 as (select * from t), ${levels} select * from w25 union all select * from w25`;
    const plain = sql.replaceAll(/w(?!0)\d+ as \(select \* replace \(.*?\) from w\d+\), /g, '');
    expectGrowth([() => analyse(plain, 'duckdb'), () => analyse(sql, 'duckdb')], { factor: 20, noise: 100 });
    expect(analyse(sql, 'duckdb').outputs.map(({ column }) => column)).toHaveLength(26);
  });
});

describe('a hostile text (C-LIMIT-11)', () => {
  const milliseconds = 1_000;

  it.each(hostileShapes.map((shape) => [shape.name, shape.text] as const))(
    'of %s costs at most a second of 64 KB, and of 1 MB',
    (_, text) => {
      for (const size of [64 * 1024, 1024 * 1024]) {
        const sql = text(size);
        const spent = processorTime(() => analyse(sql, 'postgres'), 3, milliseconds);
        expect(spent).toBeLessThanOrEqual(milliseconds);
      }
    },
    30_000,
  );

  const comparable = ['AND', 'UNION ALL', 'common tables', 'joins', 'joins without ON'];
  it.each(comparable)(
    'of %s costs at most a second for each of two versions that are compared',
    (name) => {
      const sql = hostileShapes.find((shape) => shape.name === name)?.text(64 * 1024) ?? '';
      const version = (text: string) => ({ text, dialects: ['ansi' as const], reads: () => null, inlined: '' });
      const compare = () => compareStatements(parser, version(sql), version(changedInMiddle(sql)));
      // The first comparison also compiles the code.
      expect(processorTime(compare, 7, 2 * milliseconds)).toBeLessThanOrEqual(2 * milliseconds);
    },
    60_000,
  );

  const exceeding: readonly (readonly [string, string])[] = [
    ['more dollar tags', `select ${times(60, (i) => `$a${i}$ `)}`],
    ['more tokens', `select ${times(30_000, () => 'a')} from t`],
    ['more open brackets', `select ${'['.repeat(1_100)}`],
    ['more tokens, hidden in a string of one dialect', `select '\\', ${'a,'.repeat(30_000)}`],
  ];
  it.each(exceeding)('is not given to the parser with %s than the limit', (_, sql) => {
    const refusing = () => {
      throw new Error('the parser ran');
    };
    expect(analyseSql(refusing, sql, { dialect: 'postgres', columnsOf }).unresolvedReason).toBe(tooComplex);
    const version = (text: string) => ({ text, dialects: ['postgres' as const], reads: () => null, inlined: '' });
    const compared = compareStatements(refusing, version(sql), version(`${sql} x`));
    expect(compared).toEqual({ kind: 'not_compared', reason: tooComplex });
  });

  it('is parsed in no more forms than its budget allows', () => {
    let parses = 0;
    const failing: typeof parser = () => {
      parses++;
      return { ok: false, reason: 'the SQL parser: refused' };
    };
    const sql = `select ${times(20_000, () => 'a')} from t`;
    expect(analyseSql(failing, sql, { dialect: 'ansi', columnsOf }).unresolvedReason).toBe(tooComplex);
    expect(parses).toBeLessThanOrEqual(3);
    const budget = { left: 100 };
    analyseSql(failing, 'select a, b, c from t', { dialect: 'ansi', columnsOf, budget });
    expect(budget.left).toBeLessThan(100);
  });

  it('that holds dollar quotes, parameters and generated lists of usual size is analysed', () => {
    const bodies = times(40, (i) => `$tag${i}$ select $1, $2 $tag${i}$ as c${i}`);
    expect(analyse(`select ${bodies} from known0`, 'postgres').unresolvedReason).toBeNull();
    const columns = times(3_000, (i) => `cast(a as integer) as c${i}`);
    expect(analyse(`select ${columns} from known0`, 'postgres').unresolvedReason).toBeNull();
    const places = times(500, (i) => `$${i + 1} as c${i}`);
    expect(analyse(`select ${places} from known0`, 'snowflake').unresolvedReason).toBeNull();
  });
});
