import { readFileSync, writeFileSync } from 'node:fs';
import { loadSqlParser } from '../shared/adapters/sql-parser.ts';
import { analyseScript } from '../shared/domain/lineage/sql/analyse-sql.ts';
import { casesIn, knownColumns, resultOf } from './sql-cases.ts';

/** Writes what the analysis makes of labelled cases in the form that their scorer reads: `sql-score.ts CASES RESULTS`. */
const [casesFile, resultsFile] = process.argv.slice(2);
if (casesFile === undefined || resultsFile === undefined)
  throw new Error('usage: sql-score.ts CASES.jsonl RESULTS.jsonl');

const parser = await loadSqlParser();
const lines = casesIn(readFileSync(casesFile, 'utf8')).map((item) => {
  const start = performance.now();
  const analyses = analyseScript(parser, item.sql, { dialect: item.dialect, columnsOf: knownColumns(item.schema) });
  return JSON.stringify({ ...resultOf(item.id, analyses), ms: performance.now() - start });
});
writeFileSync(resultsFile, lines.join('\n'));
