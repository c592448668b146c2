import type { SqlDialect } from './dialect.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis } from './name-scope.ts';
import { column } from './row.ts';
import type { Row } from './types.ts';

/** What is between a name that comes again and its number: `a_1`, `a:1`. */
const marks: Partial<Record<SqlDialect, string>> = { duckdb: '_', sqlite: ':' };

/** A row as DuckDB and SQLite name it in a subquery, table or view: of columns with one name those behind the first get numbers. */
export function withoutDoubledNames({ dialect, rules, spend }: Analysis, row: Row): Row {
  const mark = marks[dialect];
  if (mark === undefined || row.some((item) => item.kind === 'rest' || item.name === null)) return row;
  spend(row.length);
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return row.map((item) => {
    if (item.kind === 'rest' || item.name === null) return item;
    const { text, quoted } = item.name;
    const base = foldedName(rules, item.name);
    let name = base;
    let number = numbers.get(base) ?? 0;
    while (used.has(name)) name = `${base}${mark}${++number}`;
    numbers.set(base, number);
    used.add(name);
    return name === base ? item : column({ text: `${text}${mark}${number}`, quoted }, item.value);
  });
}
