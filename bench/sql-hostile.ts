import { parseArgs } from 'node:util';
import { loadSqlParser } from '../shared/adapters/sql-parser.ts';
import { analyseScript } from '../shared/domain/lineage/sql/analyse-sql.ts';
import { compareStatements } from '../shared/domain/lineage/sql/compare/compare-statements.ts';
import type { SqlDialect } from '../shared/domain/lineage/sql/dialect.ts';
import { cpuMsOf, printerOf } from './support/figures.ts';
import { changedInMiddle, hostileShapes } from './support/hostile-sql.ts';

// What hostile SQL costs, one JSON line a shape: processor milliseconds of an analysis, and of the dearer of two
// comparisons: with a version that is longer by a word, and with one that has another word in its middle. `growth`
// compares 64 KB with 32 KB: 2 is linear, 4 quadratic.
const { values } = parseArgs({
  options: { dialect: { type: 'string', default: 'ansi' }, only: { type: 'string' }, most: { type: 'string' } },
});
const dialect = values.dialect as SqlDialect;
const [half, small, large] = [32 * 1024, 64 * 1024, 1024 * 1024];
const print = printerOf('sql-hostile');
let worst = { name: '', cpu_ms: 0 };
analyseScript(await loadSqlParser(), 'select 1 as a from t', { dialect, columnsOf: () => null });

for (const { name, text } of hostileShapes) {
  if (values.only && values.only !== name) continue;
  const [before, at64, at1024] = [
    await analysis(text(half)),
    await analysis(text(small)),
    await analysis(text(large)),
  ] as const;
  const [comparedBefore, compared, compared1024] = [
    await comparison(text(half)),
    await comparison(text(small)),
    await comparison(text(large)),
  ] as const;
  const costs = { ms_64_kb: at64, ms_1_mb: at1024, ms_compare_64_kb: compared, ms_compare_1_mb: compared1024 };
  for (const cpu_ms of Object.values(costs)) if (cpu_ms > worst.cpu_ms) worst = { name, cpu_ms };
  print({ shape: name, ...costs, growth: ratio(at64, before), growth_compare: ratio(compared, comparedBefore) });
}
print({ figure: 'worst', dialect, ...worst });
if (worst.cpu_ms > Number(values.most ?? Number.POSITIVE_INFINITY)) process.exitCode = 1;

/** What costs a few milliseconds says nothing of growth. */
function ratio(large: number, half: number): number {
  return Number((large / Math.max(half, 40)).toFixed(1));
}

async function comparison(sql: string): Promise<number> {
  const version = (text: string) => ({ text, dialects: [dialect], reads: () => null, inlined: '' });
  const costs: number[] = [];
  for (const other of [`${sql} x`, changedInMiddle(sql)])
    costs.push(await cpu((parser) => compareStatements(parser, version(sql), version(other))));
  return Math.max(...costs);
}

function analysis(sql: string): Promise<number> {
  return cpu((parser) => analyseScript(parser, sql, { dialect, columnsOf: () => null }));
}

/** Of two attempts the less: what else the process does only adds. */
async function cpu(work: (parser: Awaited<ReturnType<typeof loadSqlParser>>) => unknown): Promise<number> {
  const attempts: number[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const parser = await loadSqlParser();
    attempts.push(Math.round(await cpuMsOf(() => work(parser))));
  }
  return Math.min(...attempts);
}
