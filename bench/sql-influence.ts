import fc from 'fast-check';
import { loadSqlParser } from '../shared/adapters/sql-parser.ts';
import { analyseSql } from '../shared/domain/lineage/sql/analyse-sql.ts';
import { compareInfluence } from '../test/domain/sql/compare-influence.ts';
import { InfluenceOracle } from '../test/domain/sql/influence-oracle.ts';
import { columnsOfTables, queries } from '../test/domain/sql/queries.ts';

/**
 * Compares the analysis of random queries with a database: `sql-influence.ts [COUNT] [SEED]`. Prints what is
 * lost in silence, and the direct edges for which no influence was seen; exits 1 where anything is lost.
 */
const count = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const parser = await loadSqlParser();
const oracle = await InfluenceOracle.open();
const totals = { queries: 0, refused: 0, unresolved: 0, found: 0, reported: 0, silent: 0, unseen: 0 };

// Some queries are refused, or have more than one answer.
for (const [place, { sql }] of fc.sample(queries, { seed, numRuns: 2 * count }).entries()) {
  if (totals.queries === count) break;
  const observed = await oracle.observe(sql, seed + place);
  if (observed === null) {
    totals.refused++;
    continue;
  }
  const analysis = analyseSql(parser, sql, { dialect: 'duckdb', columnsOf: columnsOfTables });
  const { silent, reported, found, unseen } = compareInfluence(analysis, observed);
  const isUnresolved =
    analysis.unresolvedReason ?? analysis.outputs.find((one) => one.unresolvedReason)?.unresolvedReason;
  totals.queries++;
  totals.found += found;
  totals.reported += reported;
  totals.silent += silent.length;
  totals.unresolved += isUnresolved ? 1 : 0;
  if (isUnresolved) console.log(JSON.stringify({ unresolved: isUnresolved, sql }));
  if (silent.length > 0) console.log(JSON.stringify({ silent, sql }));
  // A result without rows shows no influence at all.
  if (observed.rows === 0) continue;
  totals.unseen += unseen.length;
  if (unseen.length > 0) console.log(JSON.stringify({ unseen, sql }));
}
console.log(JSON.stringify({ bench: 'sql-influence', seed, ...totals }));
process.exitCode = totals.silent > 0 ? 1 : 0;
