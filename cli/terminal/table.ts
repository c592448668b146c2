import { printable } from './printable.ts';

type Row = readonly (string | number | null | undefined)[];

/** Rows as columns under a heading, every cell printable. */
export function table(heading: readonly string[], rows: readonly Row[]): string[] {
  const lines = [heading, ...rows].map((row) => row.map(cell));
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const cell = (value: Row[number]): string => (value === null || value === undefined ? '-' : printable(String(value)));

/** `1 relation`, `2 relations`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
