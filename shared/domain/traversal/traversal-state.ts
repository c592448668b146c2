import type { Influence } from '../../contract/vocabulary.ts';
import type { Side } from '../graph/claim.ts';
import type { EdgeColumn } from '../graph/detail-store.ts';
import { type NodeId, nodeId } from '../graph/ids.ts';
import type { Urn } from '../graph/node.ts';
import { sortedBy } from '../sorted-by.ts';
import { type Columns, everyColumn, joinColumns, newColumns, propagateColumns } from './columns.ts';
import type { EvaluatedEdge, SuppressionCause } from './evaluate.ts';

/** A relation that a traversal reached. */
export type ReachedRelation = {
  readonly urn: Urn;
  /** Of the shortest path. */
  readonly depth: number;
  readonly columns: Columns;
  /** The provider types of the edges to it. */
  readonly via: ReadonlySet<string>;
  readonly confidence: number;
};

export type TraversedEdge = { readonly edge: EvaluatedEdge; readonly mappings: ReadonlyMap<string, EdgeColumn> };

/** Why columns could not be followed to a relation. */
type ImpreciseReason = { readonly urn: Urn; readonly column: string | null; readonly reason: string };

/** How far a breadth-first traversal in one direction has come. */
export type TraversalState = {
  readonly root: Urn;
  readonly side: Side;
  /** Whether columns are followed; else relations alone. */
  readonly byColumn: boolean;
  readonly influence: Influence;
  /** Of the relations that are being visited. */
  readonly depth: number;
  /** The relations that are expanded at this depth, with the columns that were not affected before. */
  readonly frontier: ReadonlyMap<Urn, Columns>;
  /** Those of the next depth. */
  readonly next: ReadonlyMap<Urn, Columns>;
  /** Every affected column so far, by relation. */
  readonly affected: ReadonlyMap<Urn, Columns>;
  readonly visited: ReadonlySet<NodeId>;
  readonly reached: ReadonlyMap<Urn, ReachedRelation>;
  readonly edges: ReadonlyMap<string, TraversedEdge>;
  readonly suppressed: ReadonlyMap<string, SuppressionCause>;
  readonly reasons: ReadonlyMap<string, ImpreciseReason>;
  /** Relations that were reached without a mapping. */
  readonly byTable: ReadonlySet<Urn>;
  /** Edges to relations beyond the budget, which a larger one would visit. */
  readonly deferred: readonly EvaluatedEdge[];
  /** How many relations were left behind at the depths before. */
  readonly unexplored: number;
};

/** @param columns the affected columns of the root; null: relations alone are followed */
export function startState(
  side: Side,
  root: Urn,
  columns: Columns | null,
  influence: Influence = 'all',
): TraversalState {
  const start = new Map([[root, columns ?? everyColumn]]);
  return {
    root,
    side,
    byColumn: columns !== null,
    influence,
    depth: 1,
    frontier: start,
    next: new Map(),
    affected: start,
    visited: new Set([nodeId(root)]),
    reached: new Map(),
    edges: new Map(),
    suppressed: new Map(),
    reasons: new Map(),
    byTable: new Set(),
    deferred: [],
    unexplored: 0,
  };
}

type PropagatedEdge = {
  readonly edge: EvaluatedEdge;
  readonly reached: Columns;
  readonly mappings: readonly EdgeColumn[];
  readonly reasons: readonly ImpreciseReason[];
  readonly byTable: boolean;
};

/** Visits what the edges lead to: at most `budget` relations that were not reached before, the first by name. */
export function visit(state: TraversalState, edges: readonly EvaluatedEdge[], budget: number): TraversalState {
  const propagated = sortedBy(edges, upstreamRef, downstreamRef, edgeKey).flatMap(
    (edge) => propagate(state, edge) ?? [],
  );
  const active = propagated.filter(({ edge }) => edge.suppression === null);
  const isNew = ({ edge }: PropagatedEdge) => edge.other !== state.root && !state.reached.has(edge.other);
  const admitted = new Set([...new Set(active.filter(isNew).map(({ edge }) => edge.other))].slice(0, budget));
  const visits = (one: PropagatedEdge) => !isNew(one) || admitted.has(one.edge.other);
  return {
    ...record(state, active.filter(visits)),
    suppressed: new Map([...state.suppressed, ...propagated.flatMap(suppressionOf)]),
    deferred: active.filter((one) => !visits(one)).map(({ edge }) => edge),
  };
}

const upstreamRef = ({ refs }: EvaluatedEdge) => refs.upstream;
const downstreamRef = ({ refs }: EvaluatedEdge) => refs.downstream;

const suppressionOf = ({ edge }: PropagatedEdge) =>
  edge.suppression ? [[edgeKey(edge), edge.suppression] as const] : [];

export const edgeKey = ({ upstream, downstream }: Pick<EvaluatedEdge, 'upstream' | 'downstream'>): string =>
  `${upstream} ${downstream}`;

/** What the affected columns of the near end do to the far one; null where they do not affect it. */
function propagate(
  { byColumn, influence, frontier, side }: TraversalState,
  edge: EvaluatedEdge,
): PropagatedEdge | null {
  const affected = frontier.get(edge.self);
  if (!affected || !byColumn) return { edge, reached: everyColumn, mappings: [], reasons: [], byTable: false };
  const counted = edge.evidence.filter(({ disposition }) => edge.status === 'stale' || disposition === 'admitted');
  const details = counted.map(({ detail }) => detail);
  const { reached, mappings, reasons, byTable } = propagateColumns(side, affected, details, influence);
  if (!reached) return null;
  return { edge, reached, mappings, byTable, reasons: reasons.map((one) => ({ urn: edge.downstream, ...one })) };
}

function record(state: TraversalState, propagated: readonly PropagatedEdge[]): TraversalState {
  const affected = new Map(state.affected);
  const next = new Map(state.next);
  const reached = new Map(state.reached);
  const edges = new Map(state.edges);
  for (const one of propagated) {
    const { other } = one.edge;
    const fresh = newColumns(affected.get(other), one.reached);
    affected.set(other, joinColumns(affected.get(other), one.reached));
    if (fresh) next.set(other, joinColumns(next.get(other), fresh));
    edges.set(edgeKey(one.edge), withMappings(edges.get(edgeKey(one.edge)), one));
    // A cycle may affect further columns of the root, which is not affected by itself.
    if (other !== state.root) reached.set(other, reachedBy(reached.get(other), one, state.depth));
  }
  return {
    ...state,
    affected,
    next,
    reached,
    edges,
    visited: new Set([...state.visited, ...propagated.map(({ edge }) => nodeId(edge.other))]),
    reasons: new Map([...state.reasons, ...propagated.flatMap(({ reasons }) => reasons.map(keyed))]),
    byTable: new Set([...state.byTable, ...propagated.flatMap(({ edge, byTable }) => (byTable ? edge.other : []))]),
  };
}

const keyed = (one: ImpreciseReason) => [`${one.urn} ${one.column} ${one.reason}`, one] as const;

function withMappings(before: TraversedEdge | undefined, { edge, mappings }: PropagatedEdge): TraversedEdge {
  const joined = new Map(before?.mappings);
  for (const one of mappings) {
    const key = JSON.stringify([one.inputColumn, one.outputColumn, one.type, one.subtype]);
    // A value that one piece of evidence passes on as it is counts as not masked (C-IMPACT-15).
    joined.set(key, { ...one, masking: one.masking && (joined.get(key)?.masking ?? true) });
  }
  return { edge: before?.edge ?? edge, mappings: joined };
}

const reachedBy = (
  before: ReachedRelation | undefined,
  { edge, reached }: PropagatedEdge,
  depth: number,
): ReachedRelation => ({
  urn: edge.other,
  depth: before?.depth ?? depth,
  columns: joinColumns(before?.columns, reached),
  via: new Set([...(before?.via ?? []), ...edge.evidence.map(({ providerType }) => providerType)]),
  confidence: Math.max(before?.confidence ?? 0, edge.confidence),
});

/** Goes one step deeper; `unread` neighbours and those that were deferred stay behind. */
export function deepen(state: TraversalState, unread: number): TraversalState {
  return {
    ...state,
    depth: state.depth + 1,
    frontier: state.next,
    next: new Map(),
    deferred: [],
    unexplored: state.unexplored + unread + deferredCount(state),
  };
}

/** How many relations the deferred edges lead to. */
export const deferredCount = ({ deferred }: TraversalState): number => new Set(deferred.map(({ other }) => other)).size;
