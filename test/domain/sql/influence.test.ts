import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { seed } from '../../support/seed.ts';
import { silentInfluences } from './compare-influence.ts';
import { InfluenceOracle } from './influence-oracle.ts';
import { columnsOfTables, queries } from './queries.ts';

const parser = await loadSqlParser();
const oracle = await InfluenceOracle.open();

describe(`the columns that a database shows to reach an output (SEED=${seed})`, () => {
  it('are among those that the analysis gives, under the names that the database gives', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(queries, fc.nat(1_000_000), async ({ sql }, dataSeed) => {
      const observed = await oracle.observe(sql, dataSeed);
      if (observed === null) return;
      const analysis = analyseSql(parser, sql, { dialect: 'duckdb', columnsOf: columnsOfTables });
      expect(silentInfluences(analysis, observed)).toEqual([]);
      if (analysis.outputs.every(({ column }) => column !== null))
        expect(analysis.outputs.map(({ column }) => column)).toEqual(observed.names);
    });
    await fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 40) });
  });
});
