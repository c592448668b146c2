import { readFileSync } from 'node:fs';
import { loadSqlParser } from '../shared/adapters/sql-parser.ts';
import { analyseSql } from '../shared/domain/lineage/sql/analyse-sql.ts';
import { casesIn, knownColumns } from './sql-cases.ts';

/** What the analysis of statements costs, one JSON line a figure: `sql.ts CASES.jsonl`, in its own process. */
const [casesFile] = process.argv.slice(2);
if (casesFile === undefined) throw new Error('usage: sql.ts CASES.jsonl');
const cases = casesIn(readFileSync(casesFile, 'utf8'));

const rssBefore = process.memoryUsage().rss;
const start = performance.now();
const parser = await loadSqlParser();
const initMs = performance.now() - start;
const first = timed(() => analyse(cases[0]));
print({ figure: 'load', init_ms: round(initMs), first_statement_ms: round(first), rss_mb: megabytes(rssBefore) });

for (const pass of ['cold', 'warm']) {
  const times = cases.map((item) => timed(() => analyse(item))).sort((a, b) => a - b);
  const at = (share: number) => round(times[Math.floor(share * (times.length - 1))] ?? 0);
  print({ figure: pass, statements: times.length, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) });
}
print({ figure: 'after', rss_mb: megabytes(rssBefore) });

function analyse(item: (typeof cases)[number] | undefined): void {
  if (item) analyseSql(parser, item.sql, { dialect: item.dialect, columnsOf: knownColumns(item.schema) });
}

function timed(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function megabytes(before: number) {
  const { rss, heapUsed } = process.memoryUsage();
  return { whole: round(rss / 1e6), added: round((rss - before) / 1e6), heap: round(heapUsed / 1e6) };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

function print(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'sql', ...figures })}\n`);
}
