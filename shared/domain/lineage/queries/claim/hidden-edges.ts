import { type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import type { ImpactAnswer } from '../../../../contract/impact.ts';
import { limits } from '../../../../contract/limits.ts';
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
  return byRelation.map(([urn, all]) => {
    const depth = 1 + Math.min(...all.map(({ self }) => reached.get(self)?.depth ?? 0));
    return { ...staleBy(urn, all), depth };
  });
}

/** One stale edge as what it reaches. */
export const staleRelation = (edge: EvaluatedEdge): StaleRelation => ({ ...staleBy(edge.other, [edge]), depth: 1 });

function staleBy(urn: Urn, edges: readonly EvaluatedEdge[]): Omit<StaleRelation, 'depth'> {
  const evidence = edges.flatMap((edge) => edge.evidence);
  return {
    urn,
    reason: edges.some(({ suppression }) => suppression === 'policy') ? 'suppressed_by_policy' : 'not_observed_lately',
    via: [...new Set(evidence.map(({ providerType }) => providerType))].sort(),
    lastObservedAt:
      evidence
        .map(({ observedAt }) => observedAt)
        .sort()
        .at(-1) ?? '',
  };
}

export type StaleRelation = {
  readonly urn: Urn;
  readonly reason: 'suppressed_by_policy' | 'not_observed_lately';
  readonly depth: number;
  /** The provider types of the edges. */
  readonly via: readonly string[];
  /** ISO time. */
  readonly lastObservedAt: string;
};

const dayMs = 86_400_000;

/** Whether it was observed so long before a moment that it is only a remark. */
export const isLongAgo = ({ reason, lastObservedAt }: StaleRelation, at: string): boolean =>
  reason === 'not_observed_lately' && Date.parse(at) - Date.parse(lastObservedAt) > limits.claim.longAgoDays * dayMs;

/** What relations that only stale edges reach do to a claim. */
export function staleLimits(stale: readonly StaleRelation[], at: string): ClaimLimit[] {
  const byCode = Map.groupBy(stale, (one) => (isLongAgo(one, at) ? 'observed_long_ago' : one.reason));
  return [...byCode].map(([code, all]) =>
    limitOf(code, {
      subjects: [...new Set(all.map(({ urn }) => refOf(urn)))].sort(),
      detail: String(limits.claim.longAgoDays),
    }),
  );
}
