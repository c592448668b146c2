import type { ConnectorId } from '../../../contract/ids.ts';
import { sortedBy } from '../../base/collections.ts';
import type { Side } from '../graph/claim.ts';
import type { EdgeDetail, EdgeInScope } from '../graph/derivation.ts';
import { nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import { confidenceOf, type PolicyEvaluator, policyEvaluator } from '../policy/policy.ts';
import { detailsOf } from './detail-view.ts';
import { type EdgeEnds, type Evidence, evidenceOf } from './evidence.ts';
import type { ExpandedEdge } from './expansion.ts';
import type { GraphView, QueryContext } from './graph-view.ts';

/** Why an edge is not followed: all its evidence is suppressed or expired, or its confidence is below what was requested. */
export type SuppressionCause = 'policy' | 'expired' | 'confidence';

export type EvaluatedEdge = ExpandedEdge & {
  readonly upstream: Urn;
  readonly downstream: Urn;
  /** How the interface names both ends. */
  readonly refs: { readonly upstream: string; readonly downstream: string };
  readonly status: 'active' | 'stale';
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  /** Null where the question follows the edge. */
  readonly suppression: SuppressionCause | null;
};

export type EvaluationOptions = {
  /** ISO time, or null for now. */
  readonly asOf: string | null;
  readonly includeStale: boolean;
  /** 0 to 1. */
  readonly minConfidence: number;
  /** Whether edge details are needed beyond what a policy looks at. */
  readonly withDetails: boolean;
  /** What a change that is not yet made does to an edge; null if it removes the edge. */
  readonly overlay?: (edge: EvaluatedEdge) => EvaluatedEdge | null;
};

/** Evaluates the active edges at a time, or now if it is null, whatever their confidence. */
export const activeEdges = (
  asOf: string | null,
  { withDetails }: Pick<EvaluationOptions, 'withDetails'>,
): EvaluationOptions => ({ asOf, includeStale: false, minConfidence: 0, withDetails });

export type EdgeEvaluator = {
  readonly evaluate: (side: Side, edges: readonly ExpandedEdge[]) => Promise<EvaluatedEdge[]>;
};

type Evaluation = Parameters<typeof evidenceOf>[0] & {
  readonly view: GraphView;
  readonly details: ReadonlyMap<EdgeInScope, EdgeDetail>;
};

type Evaluators = ReadonlyMap<ConnectorId, PolicyEvaluator>;
const remembered = new WeakMap<QueryContext['policies'], Evaluators>();

/** Made once for the policies of a request: a check judges one relation after the other. */
export function evaluatorsOf({ policies }: Pick<QueryContext, 'policies'>): Evaluators {
  const known = remembered.get(policies);
  if (known) return known;
  const evaluators = new Map([...policies].map(([connector, policy]) => [connector, policyEvaluator(policy)]));
  remembered.set(policies, evaluators);
  return evaluators;
}

/** Evaluates every edge that has evidence, those that the question does not follow included. */
export function edgeEvaluator(view: GraphView, options: EvaluationOptions): EdgeEvaluator {
  const { context } = view;
  const evaluators = evaluatorsOf(context);
  const needsDetails = options.withDetails || [...evaluators.values()].some(({ needsDetail }) => needsDetail);
  const rules = { context, view, options, evaluators };
  return {
    evaluate: async (side, edges) => {
      const claims = needsDetails ? edges.flatMap(({ claims }) => claims) : [];
      const evaluation = { ...rules, details: await detailsOf(view, claims) };
      return edges.flatMap((expanded) => {
        const evaluated = evaluateEdge(evaluation, side, expanded);
        const edge = options.overlay ? options.overlay(evaluated) : evaluated;
        if (!edge || edge.evidence.length === 0) return [];
        const suppression = suppressionOf(options, edge);
        return suppression === null ? edge : { ...edge, suppression };
      });
    },
  };
}

/** The edges that the question follows. */
export const followed = (edges: readonly EvaluatedEdge[]): EvaluatedEdge[] =>
  edges.filter(({ suppression }) => suppression === null);

function suppressionOf(options: EvaluationOptions, edge: Omit<EvaluatedEdge, 'suppression'>): SuppressionCause | null {
  if (edge.status === 'active') return edge.confidence < options.minConfidence ? 'confidence' : null;
  if (options.includeStale) return null;
  return edge.evidence.some(({ disposition }) => disposition.startsWith('policy:')) ? 'policy' : 'expired';
}

function evaluateEdge(evaluation: Evaluation, side: Side, { self, other, claims }: ExpandedEdge): EvaluatedEdge {
  const [upstream, downstream] = side === 'out' ? [self, other] : [other, self];
  const ends = endsOf({ upstream, downstream });
  const evidence: Evidence[] = [];
  const weights: number[] = [];
  for (const claim of claims) {
    const head = evaluation.view.scopes.get(claim.scope)?.head;
    if (!head) continue;
    const one = evidenceOf(evaluation, ends, head, { claim, detail: evaluation.details.get(claim) ?? null });
    evidence.push(one);
    if (one.disposition === 'admitted') weights.push(one.weight);
  }
  return {
    self,
    other,
    claims,
    upstream,
    downstream,
    refs: ends.refs,
    status: weights.length > 0 ? 'active' : 'stale',
    confidence: confidenceOf(weights),
    evidence: sortedBy(evidence, scopeOf, storedAs, ({ observedAt }) => observedAt),
    suppression: null,
  };
}

export function endsOf({ upstream, downstream }: Pick<EvaluatedEdge, 'upstream' | 'downstream'>): EdgeEnds {
  const nodes = [nodeOf(upstream), nodeOf(downstream)] as const;
  return {
    refs: { upstream: relationRefOf(nodes[0]), downstream: relationRefOf(nodes[1]) },
    downstream: nodes[1],
    owners: nodes.flatMap((node) => ('connectorId' in node ? [node.connectorId] : [])),
  };
}

const scopeOf = ({ scopeKey }: Evidence) => scopeKey;
const storedAs = ({ from, to }: Evidence) => `${from} ${to}`;
