import { foldedName } from './name-rules.ts';
import type { Analysis } from './name-scope.ts';
import { column } from './row.ts';
import type { Row } from './types.ts';

/** A row as DuckDB names it in a subquery, table or view: of columns with one name those behind the first get `_1`, `_2`. */
export function withoutDoubledNames({ dialect, rules, spend }: Analysis, row: Row): Row {
  if (dialect !== 'duckdb' || row.some((item) => item.kind === 'rest' || item.name === null)) return row;
  spend(row.length);
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return row.map((item) => {
    if (item.kind === 'rest' || item.name === null) return item;
    const { text, quoted } = item.name;
    const base = foldedName(rules, item.name);
    let name = base;
    let number = numbers.get(base) ?? 0;
    while (used.has(name)) name = `${base}_${++number}`;
    numbers.set(base, number);
    used.add(name);
    return name === base ? item : column({ text: `${text}_${number}`, quoted }, item.value);
  });
}
