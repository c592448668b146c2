import { sortedBy } from '../../../base/collections.ts';
import type { Urn } from '../../graph/node.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import { expand } from '../../traversal/expansion.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { edgeKey } from '../../traversal/traversal-state.ts';
import { type EdgeVerdict, noVerdict, verdictOf, verdictsOf } from '../../traversal/verdict.ts';
import type { Changes } from './compare.ts';

export type ChangeVerdicts = {
  readonly of: (edge: Changes['edges'][number]) => EdgeVerdict;
  /** Edges at the changed relations that runs have and no declaration. */
  readonly undeclared: readonly (EvaluatedEdge['refs'] & EdgeVerdict)[];
  /** Whether all edges at changed relations were looked at. */
  readonly isWhole: boolean;
};

export const noVerdicts: ChangeVerdicts = { of: () => noVerdict, undeclared: [], isWhole: true };

type Versions = Readonly<Record<'before' | 'after', GraphView<'details'>>>;

/** Relations whose edges are read together, and how many of their neighbours. */
const [relationsPerRead, neighboursPerRead] = [100, 1_000];

/** The verdicts of changed edges, and what only runs know at the changed relations: C-DIFF-10. */
export async function changeVerdicts({ before, after }: Versions, changes: Changes): Promise<ChangeVerdicts> {
  const ends = changes.edges.flatMap(({ from, to }) => [from, to]);
  const changed = [...changes.relations, ...changes.columns].map(({ relation }) => relation);
  const named = await presentNames(after, [...new Set([...ends, ...changed])]);
  const nameOf = (urn: Urn) => named.get(urn) ?? urn;
  const targets = (isOfLater: boolean) =>
    changes.edges.filter(({ change }) => (change !== 'removed') === isOfLater).map(({ to }) => nameOf(to));
  const relations = changed.map(nameOf);
  const into = await judgedEdges(after, 'in', [...relations, ...targets(true)]);
  const from = await judgedEdges(after, 'out', relations);
  const removed = await judgedEdges(before, 'in', targets(false));
  const touched = new Set(relations);
  const found = [...into.found, ...from.found].filter(
    ([, { edge, verdict }]) =>
      (verdict === 'observed_only' || verdict === 'contradicted') &&
      (touched.has(edge.upstream) || touched.has(edge.downstream)),
  );
  const undeclared = [...new Map(found).values()].map(({ edge, ...verdict }) => ({ ...edge.refs, ...verdict }));
  return {
    of: ({ change, ...ends }) => {
      const { found } = change === 'removed' ? removed : into;
      return found.get(edgeKey({ upstream: nameOf(ends.from), downstream: nameOf(ends.to) })) ?? noVerdict;
    },
    undeclared: sortedBy(undeclared, (one) => JSON.stringify([one.downstream, one.upstream])),
    isWhole: [into, from, removed].every(({ isWhole }) => isWhole),
  };
}

/** The verdicts of active edges on a side of relations, as far as the limits of reads allow. */
async function judgedEdges(view: GraphView<'details'>, side: 'in' | 'out', relations: readonly Urn[]) {
  const found = new Map<string, EdgeVerdict & { readonly edge: EvaluatedEdge }>();
  const nodes = [...new Set(relations)].sort();
  let isWhole = true;
  for (let at = 0; at < nodes.length; at += relationsPerRead) {
    if (view.context.isSpent()) return { found, isWhole: false };
    const expansion = await expand(view, { side, nodes: nodes.slice(at, at + relationsPerRead) });
    const edges = (await expansion.next(neighboursPerRead)) ?? [];
    isWhole &&= expansion.remaining() === 0;
    const options = activeEdges(view.asOf, { withDetails: false });
    const evaluated = followed(await edgeEvaluator(view, options).evaluate(side, edges));
    const verdicts = await verdictsOf(view, evaluated);
    for (const edge of evaluated) found.set(edgeKey(edge), { ...verdictOf(verdicts, edge), edge });
  }
  return { found, isWhole };
}
