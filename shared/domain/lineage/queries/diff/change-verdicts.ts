import { sortedBy } from '../../../base/collections.ts';
import type { Urn } from '../../graph/node.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { isUndeclared, judgedEdges } from '../../traversal/judged-edges.ts';
import { presentNames } from '../../traversal/names.ts';
import { edgeKey } from '../../traversal/traversal-state.ts';
import { type EdgeVerdict, noVerdict } from '../../traversal/verdict.ts';
import type { Changes } from './compare.ts';

export type ChangeVerdicts = {
  readonly of: (edge: Changes['edges'][number]) => EdgeVerdict;
  /** Edges at the changed relations that runs have and no declaration. */
  readonly undeclared: readonly (EvaluatedEdge['refs'] & Pick<EdgeVerdict, 'verdict'>)[];
  /** Whether all edges at changed relations were looked at. */
  readonly isWhole: boolean;
};

export const noVerdicts: ChangeVerdicts = { of: () => noVerdict, undeclared: [], isWhole: true };

type Versions = Readonly<Record<'before' | 'after', GraphView>>;

/** Of a hundred relations. */
const neighbours = 1_000;

/** The verdicts of changed edges, and what only runs know at the changed relations: C-DIFF-10. */
export async function changeVerdicts({ before, after }: Versions, changes: Changes): Promise<ChangeVerdicts> {
  const ends = changes.edges.flatMap(({ from, to }) => [from, to]);
  const changed = [...changes.relations, ...changes.columns].map(({ relation }) => relation);
  const named = await presentNames(after, [...new Set([...ends, ...changed])]);
  const nameOf = (urn: Urn) => named.get(urn) ?? urn;
  const [removals, others] = [true, false].map((isRemoval) =>
    changes.edges.filter(({ change }) => (change === 'removed') === isRemoval).map(({ to }) => nameOf(to)),
  );
  const relations = changed.map(nameOf);
  const into = await judgedEdges(after, 'in', { relations: [...relations, ...(others ?? [])], neighbours });
  const from = await judgedEdges(after, 'out', { relations, neighbours });
  const removed = await judgedEdges(before, 'in', { relations: removals ?? [], neighbours });
  const touched = new Set(relations);
  const found = [...into.found, ...from.found].filter(
    ({ edge, verdict }) => isUndeclared({ verdict }) && (touched.has(edge.upstream) || touched.has(edge.downstream)),
  );
  const undeclared = [...new Map(found.map((one) => [edgeKey(one.edge), one])).values()].map(({ edge, verdict }) => ({
    ...edge.refs,
    verdict,
  }));
  const [known, gone] = [into, removed].map(
    ({ found }) => new Map(found.map((one): [string, EdgeVerdict] => [edgeKey(one.edge), one])),
  );
  return {
    of: ({ change, ...ends }) => {
      const key = edgeKey({ upstream: nameOf(ends.from), downstream: nameOf(ends.to) });
      return (change === 'removed' ? gone : known)?.get(key) ?? noVerdict;
    },
    undeclared: sortedBy(undeclared, (one) => JSON.stringify([one.downstream, one.upstream])),
    isWhole: [into, from, removed].every(({ isWhole }) => isWhole),
  };
}
