import { claimSentence, limitLines } from '../../shared/contract/claim-words.ts';
import { type ImpactAnswer, provenImpact } from '../../shared/contract/impact.ts';
import { verdicts as verdictOrder, verdictWords } from '../../shared/contract/vocabulary.ts';
import { type Colors, printable } from '../terminal/terminal.ts';

type Item = ImpactAnswer['downstream'][number];

export function describeAnswer(answer: ImpactAnswer, columns: readonly string[], style: Colors): string {
  const root = printable([answer.root.relation_ref, ...columns].join(' · '));
  const sections = [...section('feeds it', answer.upstream, style), ...downstreamOf(answer, columns, style)];
  return [
    style.bold(root),
    ...sections,
    ...exposuresOf(answer),
    ...judgedEdges(answer),
    style.bold(`  ${claimSentence(answer.claim)}`),
    ...limitLines(answer.claim).map((text) => style.yellow(`  ${printable(text)}`)),
  ].join('\n');
}

/** Whose dashboards and other exposures are among what depends on it. */
function exposuresOf({ exposures, downstream }: ImpactAnswer): string[] {
  const titles = new Map(downstream.map(({ relation_ref, exposure }) => [relation_ref, exposure?.title]));
  return exposures.map(({ tool, owner, relation_refs }) => {
    const names = relation_refs.map((one) => titles.get(one) ?? one);
    return printable(`  ${tool ?? 'exposures'} of ${owner ?? 'no known owner'}: ${names.join(', ')}`);
  });
}

/** How many edges runs confirm, and where declarations and runs differ. */
function judgedEdges({ summary: { verdicts } }: ImpactAnswer): string[] {
  const counts = verdictOrder.flatMap((one) => (verdicts[one] > 0 ? [`${verdicts[one]} ${verdictWords[one]}`] : []));
  return counts.length === 0 ? [] : [`  edges: ${counts.join(', ')}`];
}

/** What breaks if columns change, and what only may because it was reached as a whole table. */
function downstreamOf(answer: ImpactAnswer, columns: readonly string[], style: Colors): string[] {
  if (columns.length === 0) return section('depends on it', answer.downstream, style);
  const proven = provenImpact(answer);
  const [breaks, mayBreak] = [true, false].map((is) =>
    answer.downstream.filter((one) => proven.has(one.relation_ref) === is),
  );
  return [...section('breaks with it', breaks ?? [], style), ...section('may break with it', mayBreak ?? [], style)];
}

function section(title: string, items: readonly Item[], style: Colors): string[] {
  if (items.length === 0) return [];
  const width = Math.max(...items.map(({ relation_ref }) => printable(relation_ref).length));
  return [`  ${title}: ${items.length}`, ...items.map((item) => line(item, width, style))];
}

const line = ({ depth, relation_ref, columns, via }: Item, width: number, style: Colors): string =>
  [
    `  ${depth}`,
    style.cyan(printable(relation_ref).padEnd(width)),
    ...(columns.length > 0 ? [printable(columns.join(', '))] : []),
    style.dim(printable(`(${via.join(', ')})`)),
  ].join('  ');
