import picocolors from 'picocolors';
import yoctoSpinner from 'yocto-spinner';
import { inertCell } from '../../shared/contract/vocabulary.ts';

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

export type Terminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream;
  readonly messages: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** The clone that the command runs from, whose local service is the default in every folder. */
  readonly checkout?: string;
};

export type Colors = ReturnType<typeof picocolors.createColors>;

const takesStyle = ({ env }: Terminal, stream: Stream): boolean => stream.isTTY === true && !env['NO_COLOR'];

/** Styles for standard output, which are none if it is no terminal or NO_COLOR is set. */
export const outputColors = (terminal: Terminal): Colors =>
  picocolors.createColors(takesStyle(terminal, terminal.output));

export const messageColors = (terminal: Terminal): Colors =>
  picocolors.createColors(takesStyle(terminal, terminal.messages));

/** Says on standard error what is being done; a spinner on a terminal, nothing elsewhere. */
export type Progress = { readonly say: (text: string) => void; readonly stop: () => void };

type Quietness = { readonly quiet?: boolean; readonly json?: boolean };

/** The only one: a session of files and that of the service beside it end together. While it turns, the process does not end. */
const spinner = yoctoSpinner({ stream: process.stderr });

export function progressOn(terminal: Terminal, { quiet, json }: Quietness): Progress {
  if (quiet || json || !takesStyle(terminal, terminal.messages)) return { say: () => {}, stop: () => {} };
  return {
    say: (text) => {
      spinner.text = text;
      if (!spinner.isSpinning) spinner.start();
    },
    stop: () => void spinner.stop(),
  };
}

export function write(stream: Stream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends the process when the reader of its output, such as `head`, has closed the pipe. */
export const exitOnClosedPipe = (): void =>
  void process.stdout.on('error', (error) => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1));

/**
 * What a terminal acts on or hides instead of showing: control characters (C0 without line feed, DEL, C1), format
 * characters (marks that reorder text, invisible ones), line and paragraph separators, and halves of characters.
 */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Text of the data for a terminal, on one line: what a terminal would act on stands as its escape (`\u001b`). */
export const printable = (text: string): string => printableLines(text).replaceAll('\n', '\\n');

/** The same, but line feeds stay: for text of several lines such as SQL. Tabs become two spaces. */
export const printableLines = (text: string): string => text.replaceAll('\t', '  ').replace(unprintable, escaped);

/** A value as JSON that a terminal may show: JSON leaves DEL, C1 and marks that reorder text as they are. */
export const printableJson = (value: unknown, indent?: number): string =>
  printableJsonText(JSON.stringify(value, null, indent));

/** JSON text that a terminal may show; it means the same. */
export const printableJsonText = (json: string): string => json.replace(unprintable, escaped);

/** As JSON escapes it: by its one or two UTF-16 units. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit).toString(16).padStart(4, '0'))
    .map((digits) => `\\u${digits}`)
    .join('');

/** Cells by the headings of their columns. */
export type Row = Readonly<Record<string, string | number | null | undefined>>;

/** The heading of every cell of any row, and the rows below. */
export function table(rows: readonly Row[]): string[] {
  const heading = [...new Set(rows.flatMap(Object.keys))];
  const lines = [heading, ...rows.map((row) => heading.map((name) => row[name]))].map((line) => line.map(cell));
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const cell = (value: Row[string]): string => (value === null || value === undefined ? '-' : printable(String(value)));

export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** The fields of a record a line each, without those that are empty; what is no text stands as JSON. */
export const record = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => printable(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`))
    .join('\n');

export function shortened(text: string, most = 60): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

type Cell = string | number | null;

/** Rows under a heading as RFC 4180 has them, every cell printable and none that a spreadsheet would run. */
export const csv = (heading: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [heading, ...rows].map(csvLine).join('\n');

export const csvLine = (row: readonly Cell[]): string => row.map(quoted).join(',');

function quoted(cell: Cell): string {
  const text = typeof cell === 'string' ? inertCell(printable(cell)) : String(cell ?? '');
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
