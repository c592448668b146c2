import type { ImpactAnswer } from '../../../../contract/impact.ts';
import { sortedBy } from '../../../base/collections.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import type { EvaluatedEdge, SuppressionCause } from '../../traversal/evaluate.ts';
import type { TraversalResult } from '../../traversal/traverse.ts';

/** The edges at explored relations that were not followed, each once. */
export const hiddenIn = (results: readonly TraversalResult[]): EvaluatedEdge[] => [
  ...new Map(results.flatMap(({ suppressed }) => [...suppressed])).values(),
];

/** How many edges were not followed, by cause. */
export function suppressedCounts(hidden: readonly EvaluatedEdge[]): ImpactAnswer['coverage']['suppressed'] {
  const count = (cause: SuppressionCause) => hidden.filter(({ suppression }) => suppression === cause).length;
  return { policy: count('policy'), expired: count('expired'), confidence: count('confidence') };
}

/** What only stale edges reach, and why they are stale: C-IMPACT-5. */
export function staleOnly({ suppressed, reached }: Pick<TraversalResult, 'suppressed' | 'reached'>): StaleRelation[] {
  const edges = [...suppressed.values()].filter(({ status, other }) => status === 'stale' && !reached.has(other));
  const byRelation = sortedBy(
    Map.groupBy(edges, ({ other }) => other),
    ([urn]) => refOf(urn),
  );
  return byRelation.map(([urn, all]) => ({
    urn,
    reason: all.some(({ suppression }) => suppression === 'policy') ? 'suppressed_by_policy' : 'not_observed_lately',
    lastObservedAt:
      all
        .flatMap(({ evidence }) => evidence.map(({ observedAt }) => observedAt))
        .sort()
        .at(-1) ?? '',
  }));
}

type StaleRelation = {
  readonly urn: Urn;
  readonly reason: 'suppressed_by_policy' | 'not_observed_lately';
  /** ISO time. */
  readonly lastObservedAt: string;
};
