import type { LineageDiff } from '../../../contract/diff.ts';
import { limits } from '../../../contract/limits.ts';
import { type Finding, findingsOf, unknownsOf } from './findings.ts';
import { bounded, code, label, row, some } from './markdown.ts';

/** Whose a relation is; nobody's where nothing says so. */
export type OwnersOf = (relationRef: string) => readonly string[];

type Options = {
  /** Stands first, in Markdown. */
  readonly heading: string;
  /** Where it is left out, there is no column of owners. */
  readonly ownersOf?: OwnersOf;
};

/** Characters that hosts take in a summary; they take as many in a comment. */
const maxReport = limits.codehost.summary;
const room = { unknowns: 20_000, graph: 15_000 };
const listed = { breaks: 20, columns: 20 };

/** A comparison in Markdown, cut to what hosts take: what is not known stands before what is listed. */
export function diffReport(diff: LineageDiff, { heading, ownersOf }: Options): string {
  if (diff.not_evaluated) return [heading, '', diff.not_evaluated.message].join('\n').slice(0, maxReport);
  const findings = findingsOf(diff, code);
  const unknowns = unknownsOf(diff).map((one) => `- ${one}`);
  const head = [
    heading,
    ...(unknowns.length > 0
      ? ['', '**Not known:**', '', ...bounded(unknowns, 'of what is not known', room.unknowns)]
      : []),
    ...diffGraph(findings, room.graph),
  ].join('\n');
  if (findings.length === 0) return head;
  const titles = ['Grade', 'Change', 'Of', 'Because', 'Downstream', ...(ownersOf ? ['Owners'] : [])];
  const table = ['', row(titles), row(titles.map(() => '---'))].join('\n');
  const rows = findings.map((one) => row([...cellsOf(one), ...(ownersOf ? [owners(one, ownersOf)] : [])]));
  return [head, table, ...bounded(rows, 'changes', maxReport - head.length - table.length - 2)].join('\n');
}

/** How many changes of which grade. */
export function counted({ not_evaluated, summary: { grades } }: LineageDiff): string {
  if (not_evaluated) return 'nothing was compared';
  return grades.breaking + grades.risky + grades.safe === 0
    ? 'nothing changes'
    : `${grades.breaking} breaking, ${grades.risky} risky, ${grades.safe} safe`;
}

function cellsOf({ grade, change, relation_ref, column, because, breaks }: Finding): string[] {
  const shown = breaks.slice(0, listed.breaks).map((one) => {
    const what = `${one.grade === 'breaking' ? 'breaks' : 'may break'} ${code(one.relation_ref)}`;
    return one.columns.length > 0 ? `${what}: ${some(one.columns.map(code), listed.columns, ', ')}` : what;
  });
  const rest = breaks.length - shown.length;
  const what = column === null ? code(relation_ref) : `${code(relation_ref)} · ${code(column)}`;
  return [grade, change, what, because, [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>')];
}

/** As code, an owner is named and not written to. */
function owners({ relation_ref, breaks }: Finding, ownersOf: OwnersOf): string {
  const all = [relation_ref, ...breaks.map((one) => one.relation_ref)].flatMap((ref) => ownersOf(ref));
  return some([...new Set(all)].map(code), listed.columns, ' ');
}

const maxEdges = 30;
const maxName = 200;

type Edge = { readonly from: string; readonly to: string; readonly isSure: boolean };

/**
 * What is changed and what that breaks, as lines of a Mermaid graph in Markdown: a few edges alone, the worst first. No line
 * where nothing breaks.
 * @param room in characters
 */
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
    ...names.map((name) => `  ${id(name)}[${label(name.slice(0, maxName))}]`),
    ...edges.map(({ from, to, isSure }) => `  ${id(from)} ${isSure ? '-- breaks -->' : '-. may break .->'} ${id(to)}`),
  ];
}
