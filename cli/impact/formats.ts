import { claimSentence } from '../../shared/contract/claim-words.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { label } from '../../shared/domain/lineage/report/diff-report.ts';
import { csv, printable } from '../terminal/terminal.ts';

/** The last rows are the claim and its limits: a table without relations must not look like one that is complete. */
export const impactCsv = ({ upstream, downstream, claim }: ImpactAnswer): string =>
  csv(
    ['direction', 'depth', 'relation_ref', 'kind', 'columns', 'via', 'confidence'],
    [
      ...upstream.map((item) => ['upstream', ...cells(item)]),
      ...downstream.map((item) => ['downstream', ...cells(item)]),
      ['claim', null, claimSentence(claim), claim.kind, null, null, null],
      ...claim.limits.map(({ code, text }) => ['limit', null, text, code, null, null, null]),
    ],
  );

const cells = ({ depth, relation_ref, kind, columns, via, confidence }: ImpactAnswer['upstream'][number]) => [
  depth,
  relation_ref,
  kind,
  columns.join(' '),
  via.join(' '),
  confidence,
];

export function impactMermaid(answer: ImpactAnswer): string {
  const { names, edges } = graphOf(answer);
  return [
    'flowchart LR',
    ...names.map((name, index) => `  n${index}[${label(name)}]`),
    ...edges.map(([from, to, isStale]) => `  n${from} ${isStale ? '-.->' : '-->'} n${to}`),
    `  claim[${label(wordsOf(answer))}]`,
    `  style n${names.indexOf(answer.root.relation_ref)} stroke-width:3px`,
  ].join('\n');
}

export function impactDot(answer: ImpactAnswer): string {
  const { names, edges } = graphOf(answer);
  return [
    'digraph impact {',
    `  rankdir=LR; node [shape=box]; labelloc=t; label=${dotText(wordsOf(answer))};`,
    ...names.map((name, index) => `  n${index} [label=${dotText(name)}];`),
    ...edges.map(([from, to, isStale]) => `  n${from} -> n${to}${isStale ? ' [style=dashed]' : ''};`),
    `  n${names.indexOf(answer.root.relation_ref)} [penwidth=3];`,
    '}',
  ].join('\n');
}

const dotText = (name: string): string => `"${printable(name).replace(/[\\"]/g, '\\$&')}"`;

function graphOf({ root, upstream, downstream, edges }: ImpactAnswer) {
  const related = [...upstream, ...downstream].map(({ relation_ref }) => relation_ref);
  const ends = edges.flatMap((edge) => [edge.upstream, edge.downstream]);
  const names = [...new Set([root.relation_ref, ...related, ...ends])];
  const places = new Map(names.map((name, index) => [name, index]));
  const drawn = edges.map(
    ({ upstream, downstream, status }) => [places.get(upstream), places.get(downstream), status === 'stale'] as const,
  );
  return { names, edges: drawn };
}

/** A picture leaves out as much as the answer does, so it shows the claim. */
const wordsOf = ({ claim }: ImpactAnswer): string =>
  [claimSentence(claim), ...claim.limits.map(({ text }) => text)].join(' ');
