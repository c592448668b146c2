import { printable } from '../terminal/printable.ts';
import { table } from '../terminal/table.ts';

/** An answer as text for people: a list as columns, anything else as `name: value` lines. */
export function forPeople(answer: unknown): string {
  if (!Array.isArray(answer)) return lines(answer).join('\n');
  if (answer.length === 0) return 'none';
  const rows = answer.map(fieldsOf);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    names,
    rows.map((row) => names.map((name) => row[name])),
  ).join('\n');
}

const lines = (answer: unknown): string[] =>
  Object.entries(fieldsOf(answer)).map(([name, value]) => `${name}: ${printable(value)}`);

/**
 * An answer for programs: without the hashes that stand for keys, and what a call made as `show` answers it, beside
 * whether it was made.
 */
export function withoutHashes(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutHashes);
  if (typeof answer !== 'object' || answer === null) return answer;
  const { record, ...rest } = { record: {}, ...answer };
  return Object.fromEntries(Object.entries({ ...record, ...rest }).filter(([name]) => name !== 'hash'));
}

function fieldsOf(answer: unknown): Record<string, string> {
  if (typeof answer !== 'object' || answer === null) return { value: String(answer) };
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
