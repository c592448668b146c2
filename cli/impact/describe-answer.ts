import type { ImpactAnswer } from '../../shared/contract/impact.ts';

/** Puts a style on a piece of text: `styleText` of node:util. */
type Style = (format: 'bold' | 'cyan' | 'yellow' | 'dim', text: string) => string;
type Item = ImpactAnswer['downstream'][number];

/** An answer for people: what was found by depth, and what the answer leaves out. */
export function describeAnswer(answer: ImpactAnswer, columns: readonly string[], style: Style): string {
  const root = [answer.root.relation_ref, ...columns].join(' · ');
  const sections = [
    ...section('feeds it', answer.upstream, style),
    ...section(columns.length > 0 ? 'breaks with it' : 'depends on it', answer.downstream, style),
  ];
  const nothing = answer.graph_found ? 'has no lineage in this direction' : 'is asked of a connector without a graph';
  return [
    style('bold', root),
    ...(sections.length > 0 ? sections : [`  ${nothing}`]),
    ...caveats(answer).map((caveat) => style('yellow', `  ${caveat}`)),
  ].join('\n');
}

function section(title: string, items: readonly Item[], style: Style): string[] {
  if (items.length === 0) return [];
  const width = Math.max(...items.map(({ relation_ref }) => relation_ref.length));
  return [`  ${title}: ${items.length}`, ...items.map((item) => line(item, width, style))];
}

const line = ({ depth, relation_ref, columns, via }: Item, width: number, style: Style): string =>
  [
    `  ${depth}`,
    style('cyan', relation_ref.padEnd(width)),
    ...(columns.length > 0 ? [columns.join(', ')] : []),
    style('dim', `(${via.join(', ')})`),
  ].join('  ');

function caveats({ truncated, precision, limits }: ImpactAnswer): string[] {
  const cut = `Cut at depth ${limits.max_depth} or ${limits.max_nodes} relations: ${truncated.unexplored} more were seen.`;
  const reasons = precision.reasons.map(({ relation_ref, reason }) => `Tables only at ${relation_ref}: ${reason}`);
  return [...(truncated.any ? [cut] : []), ...reasons];
}
