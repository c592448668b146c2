import { limitLines } from '../../../contract/claim-words.ts';
import type { LineageDiff } from '../../../contract/diff.ts';
import { beginningInUnits, beginningOf } from '../../../contract/fields.ts';
import { limits } from '../../../contract/limits.ts';
import { becauseOf, columnBecause, informativeRelations, type Quote } from './because.ts';

/** The owners of a relation; empty if unknown. */
export type OwnersOf = (relationRef: string) => readonly string[];

type Options = {
  /** The first line, in Markdown. */
  readonly heading: string;
  /** If omitted, the table has no column for owners. */
  readonly ownersOf?: OwnersOf;
};

/** The maximum length of a summary, in characters. Comments have the same maximum. */
const maxReport = limits.codehost.summary;
const room = { unknowns: 20_000, graph: 15_000 };
const listed = { breaks: 20, columns: 20, undeclared: 10 };

/** A comparison in Markdown, cut to what hosts take: unknowns come before the list of changes. */
export function diffReport(diff: LineageDiff, { heading, ownersOf }: Options): string {
  if (diff.not_evaluated) {
    const { reason, message } = diff.not_evaluated;
    // Only these reasons name projects, which anybody may name as they like.
    const isNaming = reason === 'no_base' || reason === 'other_project';
    return beginningInUnits([heading, '', isNaming ? plain(message) : message].join('\n'), maxReport);
  }
  const findings = findingsOf(diff, code);
  const undeclared = undeclaredOf(diff, code);
  const head = [
    heading,
    ...notKnown(limitLines(diff.claim, code)),
    ...(undeclared === null ? [] : ['', undeclared]),
    ...(diff.matched_by === null ? [] : ['', matchedWords[diff.matched_by]]),
    ...diffGraph(findings, room.graph),
  ].join('\n');
  if (findings.length === 0) return head;
  const titles = ['Grade', 'Change', 'Of', 'Because', 'Downstream', ...(ownersOf ? ['Owners'] : [])];
  const table = ['', row(titles), row(titles.map(() => '---'))].join('\n');
  const rows = findings.map((one) => row([...cellsOf(one), ...(ownersOf ? [owners(one, ownersOf)] : [])]));
  return [head, table, ...bounded(rows, 'changes', maxReport - head.length - table.length - 2)].join('\n');
}

/** Rows below their headings in Markdown, cut to what hosts take. The first cell of a row is a name. */
export function tableReport(
  { sentence, limits: unknowns }: { readonly sentence: string; readonly limits: readonly string[] },
  [titles = [], ...rows]: readonly (readonly string[])[],
): string {
  const head = [
    ...['### Lineage', '', plain(sentence)],
    ...notKnown(unknowns.map(plain)),
    ...['', row(titles), row(titles.map(() => '---'))],
  ].join('\n');
  const lines = rows.map(([name = '', ...cells]) => row([code(name), ...cells.map(plain)]));
  return [head, ...bounded(lines, 'relations', maxReport - head.length - 1)].join('\n');
}

/** The limits of a claim, in Markdown. */
function notKnown(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const listed = lines.map((line) => `- ${line}`);
  return ['', '**Not known:**', '', ...bounded(listed, 'unknowns', room.unknowns)];
}

export const matchedWords: Readonly<Record<NonNullable<LineageDiff['matched_by']>, string>> = {
  model: 'Relations were matched by the models that build them.',
  relation: 'Relations were matched by their names.',
};

function cellsOf({ grade, change, relation_ref, column, because, breaks }: Finding): string[] {
  const shown = breaks.slice(0, listed.breaks).map((one) => effectWords(one, code, listed.columns));
  const rest = breaks.length - shown.length;
  const what = column === null ? code(relation_ref) : `${code(relation_ref)} · ${code(column)}`;
  return [grade, change, what, because, [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>')];
}

/** What a change does to a relation, with the first of its columns. */
export function effectWords(
  { grade, relation_ref, columns }: Finding['breaks'][number],
  quote: Quote,
  mostColumns: number,
): string {
  const what = `${grade === 'breaking' ? 'breaks' : 'may break'} ${quote(relation_ref)}`;
  return columns.length > 0 ? `${what}: ${some(columns.map(quote), mostColumns, ', ')}` : what;
}

/** Formats owners as code, so that the host does not notify them. */
function owners({ relation_ref, breaks }: Finding, ownersOf: OwnersOf): string {
  const all = [relation_ref, ...breaks.map((one) => one.relation_ref)].flatMap((ref) => ownersOf(ref));
  return some([...new Set(all)].map(code), listed.columns, ' ');
}

const maxEdges = 30;
const maxName = 200;

type Edge = { readonly from: string; readonly to: string; readonly isSure: boolean };

/** A Mermaid graph of at most `room` characters: few edges, the worst first; no lines if nothing breaks. */
function diffGraph(findings: readonly Finding[], room: number): readonly string[] {
  const edges = edgesOf(findings);
  for (let count = edges.length; count > 0; count = Math.floor(count / 2)) {
    const lines = ['', '```mermaid', ...linesOf(edges.slice(0, count)), '```'];
    if (lines.join('\n').length <= room) return lines;
  }
  return [];
}

function edgesOf(findings: readonly Finding[]): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const { relation_ref: from, breaks } of findings)
    for (const { relation_ref: to, grade } of breaks) {
      const key = JSON.stringify([from, to]);
      if (from !== to && (edges.has(key) ? grade === 'breaking' : edges.size < maxEdges))
        edges.set(key, { from, to, isSure: grade === 'breaking' });
    }
  return [...edges.values()];
}

function linesOf(edges: readonly Edge[]): readonly string[] {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const id = (name: string) => `n${names.indexOf(name)}`;
  return [
    'graph LR',
    ...names.map((name) => `  ${id(name)}[${label(beginningOf(name, maxName))}]`),
    ...edges.map(({ from, to, isSure }) => `  ${id(from)} ${isSure ? '-- breaks -->' : '-. may break .->'} ${id(to)}`),
  ];
}

type Effect = Pick<LineageDiff['relations'][number], 'grade' | 'breaks' | 'unexplored' | 'walked'>;

export type Finding = Effect & {
  readonly change: 'added' | 'removed' | 'changed';
  readonly relation_ref: string;
  readonly column: string | null;
  readonly because: string;
};

const order = ['breaking', 'risky', 'safe'] as const;

/** All changes of a comparison, the worst first, then by name. */
export function findingsOf(
  diff: Pick<LineageDiff, 'relations' | 'columns'>,
  quote: Quote = (text) => text,
): readonly Finding[] {
  const because = columnBecause(diff, quote);
  const all: Finding[] = [
    ...informativeRelations(diff).map(({ reasons, model, kind: _, ...one }) => ({
      ...one,
      column: null,
      because: becauseOf({ reasons, model }, quote),
    })),
    ...diff.columns.map(({ before: _, after: __, ...one }) => ({ ...one, because: because(one) })),
  ];
  const name = ({ relation_ref, column }: Finding) => JSON.stringify([relation_ref, column]);
  return all.sort((a, b) => order.indexOf(a.grade) - order.indexOf(b.grade) || (name(a) < name(b) ? -1 : 1));
}

/** What a change touches that no declaration shows; null if there is nothing. */
export function undeclaredOf({ undeclared: { edges } }: Pick<LineageDiff, 'undeclared'>, quote: Quote): string | null {
  if (edges.length === 0) return null;
  const name = (ref: string) => quote(beginningOf(ref, maxName));
  const named = edges.map(({ upstream, downstream }) => `${name(upstream)} → ${name(downstream)}`);
  const what = edges.length === 1 ? 'an edge' : 'edges';
  return `This change touches ${what} that only runs know: ${some(named, listed.undeclared, ', ')}.`;
}

/** As code, so that hosts see no mention. Cells are split first, so every sign is a reference: no backslash helps. */
export function code(name: string): string {
  const text = seen(name);
  return text !== '' && !/[`|\\]/.test(text) ? `\`${text}\`` : `<code>${text.replace(punctuation, reference)}</code>`;
}

/** A text without markup, mentions and references. */
const plain = (text: string): string => seen(text).replace(/[^\p{L}\p{N}\p{M} .,-]/gu, reference);

/** A cell of a table; its text has no pipe that is not a reference or escaped. */
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const punctuation = /[!-/:-@[-`{-~]/g;
const reference = (sign: string): string => `&#${sign.codePointAt(0)};`;

/** A report as a comment that its marker finds again. A line that began with a slash would be a command to some hosts. */
export const asNote = (marker: string, text: string): string =>
  [`<!-- ${marker} -->`, ...text.split(/\r\n|\r|\n/).map(withoutCommand)].join('\n');

const withoutCommand = (line: string): string => (line.trimStart().startsWith('/') ? line.replace('/', '\\/') : line);

/** What a reader does not see and may be misled by: control and format characters, halves of characters, and line ends. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text on one line, without invisible characters. */
export const seen = (text: string): string => text.replace(unseen, ' ');

/** The lines that fit into `room` characters, and a last line that counts those left out. */
export function bounded(lines: readonly string[], what: string, room: number): string[] {
  const more = (count: number) => `\nAnd ${count} more ${what}.`;
  let [used, taken] = [more(lines.length).length + 1, 0];
  for (const line of lines) {
    if (used + line.length + 1 > room) break;
    used += line.length + 1;
    taken++;
  }
  return taken === lines.length ? [...lines] : [...lines.slice(0, taken), more(lines.length - taken)];
}

export const some = (all: readonly string[], count: number, between: string): string =>
  [...all.slice(0, count), ...(all.length > count ? [`and ${all.length - count} more`] : [])].join(between);

/** A name as the label of a node of a Mermaid graph: what is no letter, digit or plain sign stands as its code. */
export const label = (name: string): string =>
  `"${seen(name).replace(/[^\p{L}\p{N}\p{M} ._/:-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`;
