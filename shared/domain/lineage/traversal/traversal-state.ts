import type { Influence } from '../../../contract/vocabulary.ts';
import { sortedBy } from '../../base/collections.ts';
import type { Side } from '../graph/claim.ts';
import type { EdgeColumn, EdgeDetail, ProducingStatement } from '../graph/derivation.ts';
import { isInlined, type NodeId, nodeId, type Urn } from '../graph/node.ts';
import { type Columns, everyColumn, joinColumns, moreInformative, newColumns, propagateColumns } from './columns.ts';
import type { EvaluatedEdge } from './evaluate.ts';
import { admittedOf, decidingDetails } from './evidence.ts';

export type ReachedRelation = {
  readonly urn: Urn;
  /** Of the shortest path. */
  readonly depth: number;
  readonly columns: Columns;
  /** The provider types of the evidence that leads to it: of an active edge that which counts. */
  readonly via: ReadonlySet<string>;
  readonly confidence: number;
};

export type TraversedEdge = { readonly edge: EvaluatedEdge; readonly mappings: ReadonlyMap<string, EdgeColumn> };

/** Why columns could not be followed to a relation. */
type ImpreciseReason = { readonly urn: Urn; readonly column: string | null; readonly reason: string };

/** How far one direction has come. Changed in place: copying it with every batch costs more than a batch. */
export type TraversalState = {
  readonly root: Urn;
  readonly side: Side;
  /** Whether columns are followed, or only relations. */
  readonly byColumn: boolean;
  readonly influence: Influence;
  /** Of the relations that are being visited. */
  readonly depth: number;
  /** The relations that are expanded at this depth, with the columns that were not affected before. */
  readonly frontier: ReadonlyMap<Urn, Columns>;
  /** Those of the next depth. */
  readonly next: Map<Urn, Columns>;
  /** Every affected column so far, by relation. */
  readonly affected: Map<Urn, Columns>;
  readonly visited: Set<NodeId>;
  readonly reached: Map<Urn, ReachedRelation>;
  readonly edges: Map<string, TraversedEdge>;
  /** The edges that the question does not follow, with the cause. */
  readonly suppressed: Map<string, EvaluatedEdge>;
  readonly reasons: Map<string, ImpreciseReason>;
  /** Relations that were reached without a mapping. */
  readonly byTable: Set<Urn>;
  /** The statements that some evidence maps exactly, by the relation that they make. */
  readonly exactStatements: Set<string>;
  /** Edges to relations beyond the budget, which a larger one would visit. */
  readonly deferred: readonly EvaluatedEdge[];
  /** How many relations were left behind at the depths before. */
  readonly unexplored: number;
};

/** @param columns the affected columns of the root; null: only relations are followed */
export function startState(
  side: Side,
  root: Urn,
  columns: Columns | null,
  influence: Influence = 'all',
): TraversalState {
  const start = [[root, columns ?? everyColumn]] as const;
  return {
    root,
    side,
    byColumn: columns !== null,
    influence,
    depth: 1,
    frontier: new Map(start),
    next: new Map(),
    affected: new Map(start),
    visited: new Set([nodeId(root)]),
    reached: new Map(),
    edges: new Map(),
    suppressed: new Map(),
    reasons: new Map(),
    byTable: new Set(),
    exactStatements: new Set(),
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
  const active: PropagatedEdge[] = [];
  if (state.byColumn) for (const edge of edges) noteExact(state, edge);
  // Of a column that sources write in different cases the last is shown: what is recorded follows no order of the store.
  for (const edge of sortedBy(edges, upstreamRef, downstreamRef, edgeKey)) {
    const one = edge.suppression === null ? propagate(state, edge) : null;
    const hidden = one ? null : hiddenPart(edge);
    if (one) active.push(one);
    else if (hidden && propagate(state, hidden)) state.suppressed.set(edgeKey(edge), hidden);
  }
  const left = beyondBudget(state, active, budget);
  const isVisited = ({ edge }: PropagatedEdge) => !left.has(edge.other);
  for (const one of active) if (isVisited(one)) record(state, one);
  return { ...state, deferred: active.flatMap((one) => (isVisited(one) ? [] : one.edge)) };
}

/** What a policy hides of an edge that other evidence makes active, as a second edge: its columns may lead on. */
function hiddenPart(edge: EvaluatedEdge): EvaluatedEdge | null {
  if (edge.suppression !== null) return edge;
  const evidence = edge.evidence.filter(({ disposition }) => disposition.startsWith('policy:'));
  return evidence.length === 0 ? null : { ...edge, status: 'stale', suppression: 'policy', confidence: 0, evidence };
}

/** The relations that were not reached before and that the budget does not admit: all but the first. */
function beyondBudget(
  { root, reached }: TraversalState,
  active: readonly PropagatedEdge[],
  budget: number,
): ReadonlySet<Urn> {
  const fresh = active.filter(({ edge }) => edge.other !== root && !reached.has(edge.other));
  const others = new Set(fresh.map(({ edge }) => edge.other));
  return new Set([...others].slice(Math.max(budget, 0)));
}

const upstreamRef = ({ refs }: EvaluatedEdge) => refs.upstream;
const downstreamRef = ({ refs }: EvaluatedEdge) => refs.downstream;

export const edgeKey = ({ upstream, downstream }: Pick<EvaluatedEdge, 'upstream' | 'downstream'>): string =>
  `${upstream} ${downstream}`;

const statementAt = ({ downstream }: EvaluatedEdge, { model }: ProducingStatement) => `${downstream} ${model}`;

function noteExact({ exactStatements }: TraversalState, edge: EvaluatedEdge): void {
  for (const { disposition, detail } of edge.evidence)
    if (disposition === 'admitted' && detail?.statement && detail.unresolved.length === 0)
      exactStatements.add(statementAt(edge, detail.statement));
}

/** Whether the reader's exactly mapped text holds the inlined model's, so that the edge adds nothing (C-EVIDENCE-7). */
function isSeenThrough(exactStatements: ReadonlySet<string>, edge: EvaluatedEdge): boolean {
  if (exactStatements.size === 0 || !isInlined(edge.upstream)) return false;
  const admitted = admittedOf(edge.evidence);
  return admitted.every(
    ({ detail }) => detail?.statement !== undefined && exactStatements.has(statementAt(edge, detail.statement)),
  );
}

/** Takes out inlined models that lead to nothing more: they are a part of their readers' text and no relations. */
export function withoutSteps(state: TraversalState): void {
  const isStep = (urn: Urn) => urn !== state.root && isInlined(urn);
  const steps = new Set([...state.reached.keys()].filter(isStep));
  if (steps.size === 0) return;
  const edges = [...state.edges.values()].map(({ edge }) => edge);
  const direct = new Set(edges.flatMap(({ self, other }) => (steps.has(self) ? [] : other)));
  const needed = new Set<Urn>();
  for (let found = -1; found !== needed.size; ) {
    found = needed.size;
    for (const { self, other } of edges)
      if (steps.has(self) && (steps.has(other) ? needed.has(other) : !direct.has(other))) needed.add(self);
  }
  for (const step of steps) {
    if (needed.has(step)) continue;
    state.reached.delete(step);
    state.byTable.delete(step);
    for (const [key, { edge }] of state.edges) if (edge.self === step || edge.other === step) state.edges.delete(key);
    for (const [key, { urn }] of state.reasons) if (urn === step) state.reasons.delete(key);
  }
}

/** What the affected columns of the near end do to the far one; null if they do not affect it. */
function propagate(
  { byColumn, influence, frontier, side, exactStatements }: TraversalState,
  edge: EvaluatedEdge,
): PropagatedEdge | null {
  const affected = frontier.get(edge.self);
  if (byColumn && isSeenThrough(exactStatements, edge)) return null;
  if (!affected || !byColumn) return { edge, reached: everyColumn, mappings: [], reasons: [], byTable: false };
  const { reached, mappings, reasons, byTable } = propagateColumns(side, affected, detailsOf(edge), influence);
  if (!reached) return null;
  return { edge, reached, mappings, byTable, reasons: reasons.map((one) => ({ urn: edge.downstream, ...one })) };
}

const detailsOf = ({ status, evidence }: EvaluatedEdge): readonly (EdgeDetail | null)[] =>
  decidingDetails(
    evidence.flatMap(({ disposition, detail }) => (status === 'stale' || disposition === 'admitted' ? [detail] : [])),
  );

/** An edge with all its mappings, not only those of the columns that it was reached by. */
export const wholeEdge = (edge: EvaluatedEdge, influence?: Influence): TraversedEdge =>
  withMappings(undefined, {
    edge,
    mappings: propagateColumns('out', everyColumn, detailsOf(edge), influence).mappings,
  });

function record(state: TraversalState, one: PropagatedEdge): void {
  const { affected, next, edges, reached, reasons } = state;
  const { other } = one.edge;
  const before = affected.get(other);
  const fresh = newColumns(before, one.reached);
  affected.set(other, joinColumns(before, one.reached));
  if (fresh) next.set(other, joinColumns(next.get(other), fresh));
  const key = edgeKey(one.edge);
  edges.set(key, withMappings(edges.get(key), one));
  // A cycle may affect further columns of the root, which is not affected by itself.
  if (other !== state.root) reached.set(other, reachedBy(reached.get(other), one, state.depth));
  if (!before) state.visited.add(nodeId(other));
  for (const reason of one.reasons) reasons.set(`${reason.urn} ${reason.column} ${reason.reason}`, reason);
  if (one.byTable) state.byTable.add(other);
}

function withMappings(
  before: TraversedEdge | undefined,
  { edge, mappings }: Pick<PropagatedEdge, 'edge' | 'mappings'>,
): TraversedEdge {
  if (mappings.length === 0) return before ?? { edge, mappings: new Map() };
  const joined = new Map(before?.mappings);
  for (const one of mappings) {
    const key = JSON.stringify([one.inputColumn, one.outputColumn, one.type, one.subtype]);
    const known = joined.get(key) ?? one;
    // A value that one piece of evidence passes on as it is counts as not masked (C-IMPACT-15).
    joined.set(key, { ...moreInformative(known, one), masking: one.masking && known.masking });
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
  via: joined(before?.via, edge.status === 'active' ? admittedOf(edge.evidence) : edge.evidence),
  confidence: Math.max(before?.confidence ?? 0, edge.confidence),
});

function joined(before: ReadonlySet<string> | undefined, evidence: EvaluatedEdge['evidence']): ReadonlySet<string> {
  if (before && evidence.every(({ providerType }) => before.has(providerType))) return before;
  return new Set([...(before ?? []), ...evidence.map(({ providerType }) => providerType)]);
}

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

export const deferredCount = ({ deferred }: TraversalState): number => new Set(deferred.map(({ other }) => other)).size;
