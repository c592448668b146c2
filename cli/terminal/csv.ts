import { printable } from './printable.ts';

type Cell = string | number | null;

/** Rows under a heading as RFC 4180 has them, every cell printable and none that a spreadsheet would run. */
export const csv = (heading: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [heading, ...rows].map(csvLine).join('\n');

export const csvLine = (row: readonly Cell[]): string => row.map(quoted).join(',');

function quoted(cell: Cell): string {
  const text = typeof cell === 'string' ? inert(printable(cell)) : String(cell ?? '');
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What begins so is a formula to a spreadsheet, which a leading apostrophe makes a text. */
const inert = (text: string): string => (/^\s*[=+\-@]/.test(text) ? `'${text}` : text);
