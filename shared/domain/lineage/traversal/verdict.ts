import type { DeclaredOnlyReason, Verdict } from '../../../contract/vocabulary.ts';
import { greatest, sortedBy } from '../../base/collections.ts';
import {
  type EdgeColumn,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type ProducingStatement,
} from '../graph/derivation.ts';
import { isInlined, isUndeclaredReader, type Urn } from '../graph/node.ts';
import { zeroOrder } from '../graph/order.ts';
import { classOf } from '../providers/feed.ts';
import { statesProject } from '../providers/provider.ts';
import { type EvaluatedEdge, endsOf, evaluatorsOf } from './evaluate.ts';
import { admittedOf, type Evidence, type PolicyRules, suppressionBy } from './evidence.ts';
import { claimsInto, type LiveClaim } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import { type InlinedReads, inlinedReads, noInlinedReads } from './inlined-reads.ts';
import { edgeKey } from './traversal-state.ts';

/** What declarations and runs together say of an edge or a mapping. Null if no admitted evidence is left (C-VERDICT-1). */
export type EdgeVerdict = { readonly verdict: Verdict | null; readonly reason: DeclaredOnlyReason | null };

export type Verdicts = ReadonlyMap<EvaluatedEdge, EdgeVerdict>;

export const noVerdict: EdgeVerdict = { verdict: null, reason: null };
export const verdictOf = (verdicts: Verdicts, edge: EvaluatedEdge): EdgeVerdict => verdicts.get(edge) ?? noVerdict;

/** Whether a run or a query had the edge: a catalog that reports by run events only describes it. */
export const isObserved = (one: Pick<Evidence, 'kind' | 'class'>): boolean =>
  one.class === 'query_log' || (one.class === 'runtime' && one.kind === 'observed');

/** Judges edges by their evidence and by the other claims about their downstream relations (C-VERDICT-2, C-VERDICT-3). */
export async function verdictsOf(
  view: GraphView,
  edges: readonly EvaluatedEdge[],
  mostCompared = comparedByAnswer,
): Promise<Verdicts> {
  const sides = edges.filter(isBetweenRelations).map(sidesOf);
  const open = sides.filter(({ isRun, isDeclared }) => isRun !== isDeclared);
  const claims = await claimsInto(view, [...new Set(open.map(({ edge }) => edge.downstream))]);
  const rules = { context: view.context, evaluators: evaluatorsOf(view.context) };
  const unobserved = open.filter(({ isDeclared }) => isDeclared).map(({ edge }) => edge);
  const targets = [...new Set(unobserved.map(({ downstream }) => downstream))];
  const inlined = await inlinedReads(view, new Map(targets.map((one) => [one, claims.get(one) ?? []])), isObserved);
  const judging: Judging = { view, rules, claims, inlined };
  const covered = await coveredEdges(judging, unobserved, mostCompared);
  return new Map(sides.map((one) => [one.edge, judged(judging, covered, one)]));
}

/** Ephemeral models are a part of their readers: what is read through them is judged. Nobody declared an undeclared read. */
const isBetweenRelations = ({ upstream, downstream }: EvaluatedEdge) =>
  !isInlined(upstream) && !isInlined(downstream) && !isUndeclaredReader(downstream);

type Judging = {
  readonly view: GraphView;
  readonly rules: PolicyRules;
  /** The claims of edges to each relation. */
  readonly claims: ReadonlyMap<Urn, readonly LiveClaim[]>;
  readonly inlined: ReadonlyMap<Urn, InlinedReads>;
};

const confirmed: EdgeVerdict = { verdict: 'confirmed', reason: null };

const inlinedOf = ({ inlined }: Judging, { downstream }: EvaluatedEdge) => inlined.get(downstream) ?? noInlinedReads;

type Sides = { readonly edge: EvaluatedEdge; readonly isRun: boolean; readonly isDeclared: boolean };

/** Which sides admitted evidence of an edge is on. An answer has many edges, so that each is looked at once. */
function sidesOf(edge: EvaluatedEdge): Sides {
  let [isRun, isDeclared] = [false, false];
  for (const one of edge.evidence) {
    if (one.disposition !== 'admitted') continue;
    if (isObserved(one)) isRun = true;
    else isDeclared = true;
  }
  return { edge, isRun, isDeclared };
}

function judged(
  judging: Judging,
  covered: ReadonlySet<EvaluatedEdge>,
  { edge, isRun, isDeclared }: Sides,
): EdgeVerdict {
  if (isRun && isDeclared) return confirmed;
  if (isRun) return { verdict: isContradicted(judging, edge) ? 'contradicted' : 'observed_only', reason: null };
  if (!isDeclared) return noVerdict;
  if (inlinedOf(judging, edge).relations.has(edge.upstream)) return confirmed;
  return { verdict: 'declared_only', reason: covered.has(edge) ? 'never_observed' : 'not_covered' };
}

/** Whether a complete snapshot of a project that declares the downstream relation lacks the edge. */
function isContradicted({ view, rules, claims }: Judging, edge: EvaluatedEdge): boolean {
  const stating = new Set(edge.evidence.map(({ scope }) => scope));
  return (claims.get(edge.downstream) ?? []).some(({ scope, order }) => {
    const known = view.scopes.get(scope);
    if (!known || stating.has(scope) || !statesProject(known.head.providerType)) return false;
    // A partial delivery since the last complete one states its own models only.
    const isComplete = order === known.current && known.current > zeroOrder;
    return isComplete && suppressionBy(rules, endsOf(edge), known.head.providerType, null) === null;
  });
}

/** The details that one request reads are compared for an answer. Other edges that are only declared count as not covered. */
const comparedByAnswer = 100;
const runsCompared = 5;

/** A run that was observed since an edge was declared. */
type Candidate = { readonly edge: EvaluatedEdge; readonly declared: Evidence; readonly run: LiveClaim };

/** The edges that no run had, although runs of the model that declares them were reported since. */
async function coveredEdges(
  judging: Judging,
  edges: readonly EvaluatedEdge[],
  mostCompared: number,
): Promise<ReadonlySet<EvaluatedEdge>> {
  const { view, rules } = judging;
  if (view.context.isSpent()) return new Set();
  const candidates = sortedBy(edges, edgeKey).flatMap((edge) => candidatesOf(judging, edge));
  const wanted = new Map<string, EdgeInScope>();
  const compared: Candidate[] = [];
  for (const one of candidates) {
    for (const place of [one.declared, one.run]) wanted.set(edgeInScopeName(place), place);
    if (wanted.size > mostCompared) break;
    compared.push(one);
  }
  if (compared.length === 0) return new Set();
  await view.scopes.loadObservers(compared.map(({ run }) => run.scope));
  const found = await view.readDetails([...wanted.values()].slice(0, mostCompared));
  const details = new Map(found.map((one) => [edgeInScopeName(one), one.detail]));
  const covering = compared.filter(({ edge, declared, run }) => {
    const [of, by] = [declared, run].map((place) => details.get(edgeInScopeName(place)));
    if (!of?.statement || !by || !isOtherText(of.statement, by)) return false;
    const head = view.scopes.get(run.scope)?.head;
    if (!head || !isObserved({ kind: 'observed', class: classOf(view.context.feeds, head) })) return false;
    return suppressionBy(rules, endsOf(edge), head.providerType, by) === null;
  });
  return new Set(covering.map(({ edge }) => edge));
}

/**
 * Whether a run of the declaring model shows that it does not read what the declaration names. dbt-ol leaves out seeds and
 * snapshots, so that the inputs of a run are whole only if its text is understood. The same text cannot read less.
 */
const isOtherText = (of: ProducingStatement, { statement, unresolved }: EdgeDetail): boolean =>
  of.model === statement?.model &&
  (statement.version === undefined ||
    (statement.version !== of.version && unresolved.every(({ open }) => open !== undefined)));

function candidatesOf(judging: Judging, edge: EvaluatedEdge): Candidate[] {
  // It was observed: the policy leaves that out, or it is too old to count.
  if (edge.evidence.some(isObserved) || !inlinedOf(judging, edge).isWhole) return [];
  const runs = (judging.claims.get(edge.downstream) ?? []).filter(({ order }) => order === null);
  return admittedOf(edge.evidence).flatMap((declared) => {
    const isSince = ({ observedAt }: { readonly observedAt: string }) => observedAt >= declared.observedAt;
    const inOrder = sortedBy(runs.filter(isSince), ({ observedAt }) => observedAt, edgeInScopeName);
    const scopes = new Map(inOrder.map((run) => [run.scope, run]));
    return [...scopes.values()].slice(-runsCompared).map((run) => ({ edge, declared, run }));
  });
}

export type MappingVerdict = (mapping: EdgeColumn) => EdgeVerdict;

/** Judges the mappings of an edge by those of its evidence, as edges are judged by evidence (C-VERDICT-4). */
export function mappingVerdicts({ evidence }: EvaluatedEdge): MappingVerdict {
  const admitted = admittedOf(evidence);
  const [observed, declaring] = [admitted.filter(isObserved), admitted.filter((one) => !isObserved(one))];
  const since = greatest(declaring.map(({ observedAt }) => observedAt)) ?? '';
  const [runs, declared] = [mappingsOf(observed), mappingsOf(declaring)];
  const runsSince = mappingsOf(observed.filter(({ observedAt }) => observedAt >= since));
  return (mapping) => {
    if (runs.has(mapping) && declared.has(mapping)) return { verdict: 'confirmed', reason: null };
    if (runs.has(mapping)) return { verdict: declared.lacks(mapping) ? 'contradicted' : 'observed_only', reason: null };
    if (!declared.has(mapping)) return noVerdict;
    return { verdict: 'declared_only', reason: runsSince.lacks(mapping) ? 'never_observed' : 'not_covered' };
  };
}

/** The mappings of some evidence by name: an edge may have thousands. */
function mappingsOf(evidence: readonly Evidence[]) {
  const details = evidence.flatMap(({ detail }) => detail ?? []);
  const columns = details.flatMap((detail) => detail.columns);
  const pairs = new Set(columns.map(pairOf));
  // Sources attribute a column that decides rows to every column of the output, or to some.
  const deciding = new Set(columns.filter(({ type }) => type === 'INDIRECT').map(inputOf));
  const isWhole = details.some((detail) => detail.columns.length > 0 && detail.unresolved.length === 0);
  return {
    has: (one: EdgeColumn) => pairs.has(pairOf(one)) || (one.type === 'INDIRECT' && deciding.has(inputOf(one))),
    // Many sources report no column that only decides rows: that one lacks it says nothing.
    lacks: ({ type }: EdgeColumn) => type === 'DIRECT' && isWhole,
  };
}

const inputOf = ({ inputColumn }: EdgeColumn) => inputColumn.toLowerCase();
const pairOf = (one: EdgeColumn) => JSON.stringify([inputOf(one), one.outputColumn?.toLowerCase()]);
