import { percent } from '../parts/percent.ts';
import { texts } from '../texts.ts';
import type { Row } from './answer.ts';

const { headings, directions, statuses, everyColumn } = texts.lineage;

/** A row as its cells read, in the table and in the CSV alike. */
export const cellsOf = (row: Row): readonly string[] => [
  row.relation,
  directions[row.direction],
  String(row.depth),
  row.columns.map((column) => (column === '*' ? everyColumn : column)).join(', '),
  row.sources.join(', '),
  percent(row.confidence),
  statuses[row.status],
];

export const columnHeadings = Object.values(headings);

/** The rows as RFC 4180 has them, every cell quoted and none that a spreadsheet would run. */
export const csvOf = (rows: readonly Row[]): string =>
  [columnHeadings, ...rows.map(cellsOf)].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => `"${inert(cell).replaceAll('"', '""')}"`;

/** Spreadsheets run what begins with one of these, also behind quotes. */
const inert = (cell: string): string => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell);
