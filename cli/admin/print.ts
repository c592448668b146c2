/** An answer as text for people: a list as columns, anything else as `name: value` lines. */
export function forPeople(answer: unknown): string {
  if (Array.isArray(answer)) return answer.length === 0 ? 'none' : columns(answer.map(fieldsOf));
  return Object.entries(fieldsOf(answer))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** An answer as JSON, without the hashes that stand for keys. */
export const forPrograms = (answer: unknown): string =>
  JSON.stringify(answer, (name, value: unknown) => (name === 'hash' ? undefined : value), 2);

/** The fields of a record, those of the record that a call made included. */
function fieldsOf(answer: unknown): Record<string, string> {
  if (typeof answer !== 'object' || answer === null) return { value: String(answer) };
  const { record, ...rest } = { record: {}, ...answer };
  const fields = Object.entries({ ...record, ...rest }).filter(([name]) => name !== 'hash');
  return Object.fromEntries(fields.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function columns(rows: readonly Record<string, string>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? '-'))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
