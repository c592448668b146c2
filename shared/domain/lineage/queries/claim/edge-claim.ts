import { type Claim, type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import { concerning } from '../../traversal/columns.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import { admittedOf, decidingDetails } from '../../traversal/evidence.ts';
import type { ResolvedRoot } from '../../traversal/traverse.ts';
import { claimOf, type Found } from './claim.ts';

type FoundEdge = {
  readonly upstream: ResolvedRoot;
  readonly downstream: ResolvedRoot;
  readonly edge: EvaluatedEdge | null;
};

type Question = { readonly upstream: string; readonly downstream: string; readonly column: string | null };

/** What breaks at the far end of one edge if its near end, or a column of that, changes (C-CLAIM-8). */
export function claimOfEdge(
  { column, ...named }: Question,
  { upstream, downstream, edge }: FoundEdge,
  limits: readonly ClaimLimit[],
  until: string | null,
): Claim {
  const unknown = [...(upstream.urn ? [] : [named.upstream]), ...(downstream.urn ? [] : [named.downstream])];
  const own = edge === null ? [] : edgeLimits(edge, column);
  const ofNames = unknown.length > 0 ? [limitOf('name_not_resolved', { subjects: unknown })] : [];
  const found = edge ? foundAt(edge, column) : nothing;
  // Another way may lead to the far end: one edge proves no absence.
  const ofWay = unknown.length + found.breaks + found.may_break === 0 ? [limitOf('direct_readers_only')] : [];
  return claimOf(found, [...ofNames, ...own, ...ofWay, ...limits], until);
}

const nothing: Found = { breaks: 0, may_break: 0 };

const detailsOf = ({ evidence }: EvaluatedEdge) => decidingDetails(admittedOf(evidence).map(({ detail }) => detail));

/** A stale edge is a limit, and a mapping of the requested column decides, at either end. */
function foundAt(edge: EvaluatedEdge, column: string | null): Found {
  if (edge.status === 'stale') return nothing;
  if (column === null) return { breaks: 1, may_break: 0 };
  const concerns = concerning(new Set([column.toLowerCase()]));
  const details = detailsOf(edge);
  const isNamed = (name: string | null) => name !== null && concerns(name);
  if (details.some((detail) => detail?.columns.some((one) => [one.inputColumn, one.outputColumn].some(isNamed))))
    return { breaks: 1, may_break: 0 };
  return details.some((detail) => !detail || detail.unresolved.length > 0) ? { breaks: 0, may_break: 1 } : nothing;
}

function edgeLimits(edge: EvaluatedEdge, column: string | null): ClaimLimit[] {
  const { status, evidence, refs } = edge;
  const subjects = [refs.downstream];
  if (status === 'stale') {
    const isHidden = evidence.some(({ disposition }) => disposition.startsWith('policy:'));
    return [limitOf(isHidden ? 'suppressed_by_policy' : 'not_observed_lately', { subjects })];
  }
  if (column === null) return [];
  const reasons = detailsOf(edge).flatMap((detail) => (detail?.unresolved ?? []).map(({ reason }) => reason));
  return [...new Set(reasons)].sort().map((detail) => limitOf('columns_unknown', { subjects, detail }));
}
