import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/sql/analyse-sql.ts';
import type { SqlAnalysis } from '../../../shared/domain/sql/types.ts';
import { queries, tables } from './queries.ts';

const parser = await loadSqlParser();
const analyse = (sql: string): SqlAnalysis =>
  analyseSql(parser, sql, { dialect: 'duckdb', columnsOf: ([name]) => tables[name?.text ?? ''] ?? null });

const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
for (const [table, names] of Object.entries(tables))
  await connection.run(`create table ${table} as select ${names.map((name) => `0::bigint as ${name}`)} from range(4)`);

const rows = [0, 1, 2, 3];
const columns = Object.entries(tables).flatMap(([table, names]) => names.map((name) => ({ table, name })));
for (const [place, { table, name }] of columns.entries())
  await setColumn(table, name, (row) => ((row * 3 + place) % 5) + 1);

async function setColumn(table: string, name: string, value: (row: number) => number): Promise<void> {
  const cases = rows.map((row) => `when ${row} then ${value(row)}`).join(' ');
  await connection.run(`update ${table} set ${name} = case rowid ${cases} end`);
}

/** The distinct values of each column of a result: how often a join repeats them does not matter. */
async function valuesOf(
  sql: string,
): Promise<{ readonly names: readonly string[]; readonly values: readonly string[] }> {
  const reader = await connection.runAndReadAll(sql);
  const values = reader.getColumns().map((column) => [...new Set(column.map(String))].sort().join());
  return { names: reader.columnNames(), values };
}

/** The columns that can reach an output: those of its value, and those that decide on rows. */
const reaching = ({ outputs, indirect }: SqlAnalysis, place: number): Set<string> =>
  new Set(
    [...(outputs[place]?.sources ?? []), ...indirect].map(({ relation, column }) => `${relation[0]?.text}.${column}`),
  );

describe('the columns that a database shows to reach an output', () => {
  it('are among those that the analysis gives, under the names that the database gives', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(queries, fc.integer({ min: 6, max: 90 }), async ({ sql }, shift) => {
      const analysis = analyse(sql);
      expect(analysis.unresolvedReason).toBeNull();
      expect(analysis.outputs.filter(({ unresolvedReason }) => unresolvedReason !== null)).toEqual([]);
      const before = await valuesOf(sql);
      expect(analysis.outputs.map(({ column }) => column)).toEqual(before.names);
      for (const [place, { table, name }] of columns.entries()) {
        await setColumn(table, name, (row) => (row % 2 === 0 ? row * shift : row + 2));
        const after = await valuesOf(sql);
        await setColumn(table, name, (row) => ((row * 3 + place) % 5) + 1);
        after.values.forEach((values, output) => {
          if (values !== before.values[output]) expect(reaching(analysis, output)).toContain(`${table}.${name}`);
        });
      }
    });
    await fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 40) });
  });
});
