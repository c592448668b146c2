import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { label } from '../../shared/domain/lineage/report/diff-report.ts';
import { csv, printable } from '../terminal/terminal.ts';

export const impactCsv = ({ upstream, downstream }: ImpactAnswer): string =>
  csv(
    ['direction', 'depth', 'relation_ref', 'kind', 'columns', 'via', 'confidence'],
    [
      ...upstream.map((item) => ['upstream', ...cells(item)]),
      ...downstream.map((item) => ['downstream', ...cells(item)]),
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
    ...edges.map(([from, to]) => `  n${from} --> n${to}`),
    `  style n${names.indexOf(answer.root.relation_ref)} stroke-width:3px`,
  ].join('\n');
}

export function impactDot(answer: ImpactAnswer): string {
  const { names, edges } = graphOf(answer);
  return [
    'digraph impact {',
    '  rankdir=LR; node [shape=box];',
    ...names.map((name, index) => `  n${index} [label=${dotText(name)}];`),
    ...edges.map(([from, to]) => `  n${from} -> n${to};`),
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
  return { names, edges: edges.map((edge) => [places.get(edge.upstream), places.get(edge.downstream)] as const) };
}
