import { type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import { type ImpactAnswer, provenImpact } from '../../../../contract/impact.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import type { TraversalResult } from '../../traversal/traverse.ts';
import type { Found } from '../claim/claim.ts';
import { staleLimits, staleOnly } from '../claim/hidden-edges.ts';
import type { ImpactQuestion, ImpactResults } from './answer.ts';

/** How an answer was found, which decides what it may claim. */
export type ImpactWalk = {
  readonly question: ImpactQuestion;
  /** Null: the name means no relation. */
  readonly root: Urn | null;
  readonly results: ImpactResults;
  /** The moment of the question: ISO time. */
  readonly at: string;
  /** Whether there was evidence of the root at the moment of the question. */
  readonly isKnownThen: boolean;
  /** Of the relations of the answer. */
  readonly way: readonly ClaimLimit[];
};

/** What was found: a whole relation takes all that depends on it along, a column what mappings lead to (C-IMPACT-20). */
export function foundIn(
  { question: { direction, columns } }: ImpactWalk,
  answer: Pick<ImpactAnswer, 'root' | 'upstream' | 'downstream' | 'column_lineage'>,
): Found {
  const { upstream, downstream } = answer;
  const proven = columns.length > 0 ? provenImpact(answer) : null;
  const breaks = proven ? downstream.filter((one) => proven.has(one.relation_ref)).length : downstream.length;
  const found = { breaks, may_break: downstream.length - breaks };
  return direction === 'upstream' ? { ...found, feeds: upstream.length } : found;
}

/** Why the walk does not show all that may break (C-CLAIM-4). Limits of what feeds the relation block only that question. */
export function walkLimits(walk: ImpactWalk): ClaimLimit[] {
  const { question, root, results, way } = walk;
  if (root === null) return [limitOf('name_not_resolved', { subjects: [question.relationRef] })];
  return [...way, ...sideLimits(walk, results)];
}

function sideLimits(walk: ImpactWalk, { upstream, downstream }: ImpactResults): ClaimLimit[] {
  switch (walk.question.direction) {
    case 'upstream':
      return [limitOf('downstream_not_requested'), ...momentLimits(walk), ...limitsOf(walk, upstream)];
    case 'downstream':
      return [...momentLimits(walk), ...limitsOf(walk, downstream)];
    case 'both': {
      const own = limitsOf(walk, downstream);
      const others = limitsOf(walk, upstream).filter(({ text }) => own.every((one) => one.text !== text));
      const aside = others.map((one) => ({ ...one, text: `Upstream: ${one.text}`, blocks: false }));
      return [...momentLimits(walk), ...own, ...aside];
    }
  }
}

const momentLimits = ({ question: { relationRef }, at, isKnownThen }: ImpactWalk): ClaimLimit[] =>
  isKnownThen ? [] : [limitOf('before_first_evidence', { subjects: [relationRef], detail: at })];

function limitsOf({ question, at }: ImpactWalk, result: TraversalResult): ClaimLimit[] {
  const { columns, influence, maxDepth, maxNodes } = question;
  const { unexplored: count, cutByDepth, cutByNodes, cutByRequests } = result;
  return [
    ...columnLimits(result),
    ...(columns.length > 0 && influence === 'direct' ? [limitOf('indirect_left_out')] : []),
    ...(cutByDepth ? [limitOf('cut_by_depth', { count, detail: String(maxDepth) })] : []),
    ...(cutByNodes ? [limitOf('cut_by_nodes', { count, detail: String(maxNodes) })] : []),
    ...(cutByRequests ? [limitOf('cut_by_requests')] : []),
    ...hiddenLimits(at, result),
  ];
}

function columnLimits({ reasons }: TraversalResult): ClaimLimit[] {
  const byReason = Map.groupBy(reasons.values(), ({ reason }) => reason);
  return [...byReason].sort().map(([reason, all]) => {
    if (reason === 'unknown_column')
      return limitOf('unknown_column', { subjects: all.flatMap(({ column }) => column ?? []) });
    return limitOf('columns_unknown', { subjects: relationsOf(all), detail: reason });
  });
}

const relationsOf = (all: readonly { readonly urn: Urn }[]): string[] =>
  [...new Set(all.map(({ urn }) => refOf(urn)))].sort();

/** What only edges reach that were not followed. */
function hiddenLimits(at: string, result: TraversalResult): ClaimLimit[] {
  const unsure = [...result.suppressed.values()].filter(({ suppression }) => suppression === 'confidence').length;
  return [
    ...staleLimits(staleOnly(result), at),
    ...(unsure > 0 ? [limitOf('below_min_confidence', { count: unsure })] : []),
  ];
}
