import type { ImpactAnswer } from '../../../contract/impact.ts';
import { firstCarried } from '../answer-size.ts';
import { columnPaths } from './column-paths.ts';

type Answer = Omit<ImpactAnswer, 'cost'>;

/** How many columns, mappings and reasons of a relation or an edge are listed. */
const columnsListed = [1_000, 100, 10, 0];

/** The answer as far as a reply can carry it: columns are left out before relations, and the counts stay (C-IMPACT-14). */
export const cutAnswer = (answer: Answer): Answer => firstCarried(answer, smallerAnswers(answer));

function* smallerAnswers(answer: Answer): Generator<Answer> {
  for (const most of columnsListed) yield withColumns(answer, most);
  const bare = withColumns(answer, 0);
  for (let most = relationsOf(answer) / 2; most >= 1; most /= 2) yield withRelations(bare, Math.floor(most));
  yield withRelations(bare, 0);
}

const relationsOf = ({ upstream, downstream }: Answer): number => upstream.length + downstream.length;

function withColumns(answer: Answer, most: number): Answer {
  const ofItem = (item: Answer['upstream'][number]) => ({ ...item, columns: item.columns.slice(0, most) });
  const edges = answer.edges.map((edge) => ({ ...edge, columns: edge.columns.slice(0, most) }));
  return {
    ...answer,
    upstream: answer.upstream.map(ofItem),
    downstream: answer.downstream.map(ofItem),
    edges,
    precision: { ...answer.precision, reasons: answer.precision.reasons.slice(0, Math.max(most, 100)) },
    column_lineage: {
      ...answer.column_lineage,
      paths: columnPaths(edges),
      unresolved: answer.column_lineage.unresolved.slice(0, most),
    },
    truncated: { ...answer.truncated, any: true, by_bytes: true },
  };
}

/** The nearest relations, and the edges between them. */
function withRelations(answer: Answer, most: number): Answer {
  const share = most / relationsOf(answer);
  const nearest = (items: Answer['upstream']) => items.slice(0, Math.floor(items.length * share));
  const [upstream, downstream] = [nearest(answer.upstream), nearest(answer.downstream)];
  const kept = new Set([answer.root, ...upstream, ...downstream].map(({ relation_ref }) => relation_ref));
  const left = relationsOf(answer) - upstream.length - downstream.length;
  return {
    ...answer,
    upstream,
    downstream,
    edges: answer.edges.filter((edge) => kept.has(edge.upstream) && kept.has(edge.downstream)),
    precision: { ...answer.precision, reasons: answer.precision.reasons.slice(0, most) },
    truncated: { ...answer.truncated, unexplored: answer.truncated.unexplored + left },
  };
}
