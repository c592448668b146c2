import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { Side } from '../graph/claim.ts';
import type { NodeId } from '../graph/ids.ts';
import { type Node, nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import type { DetailStore, EdgeDetail, ScopeHead } from '../graph/ports.ts';
import { type Connector, connectorDefaults } from '../identity/connector.ts';
import { type Disposition, type PolicyEvaluator, policyEvaluator } from '../policy/disposition.ts';
import { confidenceOf, defaultPolicy, type Policy, weightOf } from '../policy/policy.ts';
import { sortedBy } from '../sorted-by.ts';
import { completeDetail, relationsOpenIn } from './complete-detail.ts';
import type { ExpandedEdge, LiveClaim } from './expansion.ts';
import type { GraphView } from './graph-view.ts';

/** One provider's claim of one edge in one scope, evaluated by the policies of both ends' connectors. */
export type Evidence = {
  readonly providerType: string;
  readonly providerInstanceId: string;
  readonly scopeKey: string;
  readonly observedAt: string;
  readonly disposition: Disposition;
  /** The connector whose policy suppresses it; null where none does. */
  readonly suppressedBy: ConnectorId | null;
  /** What it adds to the edge's confidence where it is admitted. */
  readonly weight: number;
  /** The nodes under whose names it is stored. */
  readonly from: NodeId;
  readonly to: NodeId;
  /** Null where it was not read, or the source stated nothing beyond the edge. */
  readonly detail: EdgeDetail | null;
};

/** Why an edge is not followed: all its evidence is suppressed or expired, or its confidence is below what was asked. */
export type SuppressionCause = 'policy' | 'expired' | 'confidence';

/** An edge as it is answered: the fusion of its evidence. */
export type EvaluatedEdge = {
  readonly self: Urn;
  readonly other: Urn;
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

export type EvaluationPorts = {
  readonly details: Pick<DetailStore, 'get'>;
  readonly connectors: ReadonlyMap<ConnectorId, Connector>;
  /** The policies that hold now, of the connectors that have one. */
  readonly policies: ReadonlyMap<ConnectorId, Policy>;
  /** ISO time. */
  readonly now: string;
  /** What a change not yet made would make of an edge: null where it would no longer be. */
  readonly overlay?: (edge: EvaluatedEdge) => EvaluatedEdge | null;
  /** Whether the reads of the answer have come to their limit: what is not explored by then is left. */
  readonly isSpent?: IsSpent;
};

/** Whether the reads of the answer have come to a share of their limit, all of it where none is named. */
export type IsSpent = (share?: number) => boolean;

export type EvaluationOptions = {
  readonly workspace: WorkspaceId;
  /** ISO time, or null for now. */
  readonly asOf: string | null;
  readonly includeStale: boolean;
  /** 0 to 1. */
  readonly minConfidence: number;
  /** Whether edge details are needed beyond what a policy looks at. */
  readonly withDetails: boolean;
};

/** Evaluates edges that were expanded on one side. */
export type EdgeEvaluator = (side: Side, edges: readonly ExpandedEdge[]) => Promise<EvaluatedEdge[]>;

type Evaluation = {
  readonly ports: EvaluationPorts;
  readonly view: GraphView;
  readonly options: EvaluationOptions;
  readonly evaluators: ReadonlyMap<ConnectorId, PolicyEvaluator>;
};

const dayMs = 86_400_000;

/** Evaluates every edge that has evidence, those that the question does not follow included. */
export function edgeEvaluator(ports: EvaluationPorts, view: GraphView, options: EvaluationOptions): EdgeEvaluator {
  const evaluators = new Map([...ports.policies].map(([connector, policy]) => [connector, policyEvaluator(policy)]));
  const evaluation = { ports, view, options, evaluators };
  const needsDetails = options.withDetails || [...evaluators.values()].some(({ needsDetail }) => needsDetail);
  return async (side, edges) => {
    const details = needsDetails ? await detailsOf(evaluation, edges) : new Map<string, EdgeDetail>();
    return edges
      .map((edge) => evaluateEdge(evaluation, details, side, edge))
      .flatMap((edge) => (ports.overlay ? (ports.overlay(edge) ?? []) : edge))
      .filter((edge) => edge.evidence.length > 0)
      .map((edge) => ({ ...edge, suppression: suppressionOf(options, edge) }));
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

const detailName = ({ from, to, scope }: Pick<LiveClaim, 'from' | 'to' | 'scope'>) => `${from} ${to} ${scope}`;

async function detailsOf({ ports, view, options }: Evaluation, edges: readonly ExpandedEdge[]) {
  const found = await ports.details.get(
    options.workspace,
    edges.flatMap(({ claims }) => claims),
  );
  await view.columns.load(found.flatMap(({ detail }) => relationsOpenIn(detail)));
  return new Map(found.map((one) => [detailName(one), completedDetail(view, one, one.detail)]));
}

type ColumnDetail = Pick<EdgeDetail, 'columns' | 'unresolved'>;

/** A detail with what schemas tell of it at the moment of the view, whichever delivery it was read from. */
export async function completedBy<D extends ColumnDetail>(
  view: GraphView,
  edge: Pick<LiveClaim, 'from'>,
  detail: D,
): Promise<D> {
  await view.columns.load(relationsOpenIn(detail));
  return completedDetail(view, edge, detail);
}

function completedDetail<D extends ColumnDetail>(view: GraphView, { from }: Pick<LiveClaim, 'from'>, detail: D): D {
  const urn = view.nodes.urnOf(from);
  return urn === undefined ? detail : completeDetail(detail, urn, view.columns.of);
}

/** Both ends of an edge, and the connectors whose policies evaluate it. */
type EdgeEnds = {
  readonly refs: EvaluatedEdge['refs'];
  readonly downstream: Node;
  readonly owners: readonly ConnectorId[];
};

function evaluateEdge(
  evaluation: Evaluation,
  details: ReadonlyMap<string, EdgeDetail>,
  side: Side,
  { self, other, claims }: ExpandedEdge,
): EvaluatedEdge {
  const [upstream, downstream] = side === 'out' ? [self, other] : [other, self];
  const nodes = [nodeOf(upstream), nodeOf(downstream)] as const;
  const ends: EdgeEnds = {
    refs: { upstream: relationRefOf(nodes[0]), downstream: relationRefOf(nodes[1]) },
    downstream: nodes[1],
    owners: nodes.flatMap((node) => ('connectorId' in node ? [node.connectorId] : [])),
  };
  const evidence = claims.flatMap((claim): Evidence[] => {
    const head = evaluation.view.scopes.get(claim.scope)?.head;
    return head ? [evidenceOf(evaluation, ends, head, { claim, detail: details.get(detailName(claim)) ?? null })] : [];
  });
  const admitted = evidence.filter(({ disposition }) => disposition === 'admitted');
  return {
    self,
    other,
    upstream,
    downstream,
    refs: ends.refs,
    status: admitted.length > 0 ? 'active' : 'stale',
    confidence: confidenceOf(admitted.map(({ weight }) => weight)),
    evidence: sortedBy(evidence, scopeOf, storedAs, ({ observedAt }) => observedAt),
    suppression: null,
  };
}

const scopeOf = ({ scopeKey }: Evidence) => scopeKey;
const storedAs = ({ from, to }: Evidence) => `${from} ${to}`;

function evidenceOf(
  { ports, options, evaluators }: Evaluation,
  { refs, downstream, owners }: EdgeEnds,
  head: ScopeHead,
  { claim, detail }: { readonly claim: LiveClaim; readonly detail: EdgeDetail | null },
): Evidence {
  const { providerType, providerInstanceId, scopeKey } = head;
  const facts = {
    ...refs,
    providerType,
    statementKind: detail?.statementKind ?? null,
    principal: detail?.principal ?? null,
  };
  const suppressing = [...new Set(owners)].flatMap((owner) => {
    const engine = engineOf(ports, detail, owner);
    const disposition = evaluators.get(owner)?.evaluate({ ...facts, engine }) ?? 'admitted';
    return disposition === 'admitted' ? [] : [{ owner, disposition }];
  })[0];
  const expired = head.kind === 'observed' && isExpired(ports, options.asOf, downstream, claim.observedAt);
  const weights = (owners[0] && ports.policies.get(owners[0])?.weights) || defaultPolicy.weights;
  return {
    providerType,
    providerInstanceId,
    scopeKey,
    observedAt: claim.observedAt,
    disposition: suppressing?.disposition ?? (expired ? 'expired:not_observed' : 'admitted'),
    suppressedBy: suppressing?.owner ?? null,
    weight: weightOf(weights, providerType),
    from: claim.from,
    to: claim.to,
    detail,
  };
}

/** The engine by which the policy of a connector judges evidence: where nothing names one, the connector's kind (C-POLICY-12). */
export const engineOf = (
  { connectors }: Pick<EvaluationPorts, 'connectors'>,
  detail: EdgeDetail | null,
  owner: ConnectorId,
): string | null => detail?.engine ?? connectors.get(owner)?.kind ?? null;

/** Observed evidence that was not seen for the retention of its downstream's connector no longer keeps an edge active. */
export function isExpired(
  ports: Pick<EvaluationPorts, 'connectors' | 'now'>,
  asOf: string | null,
  downstream: Node,
  observedAt: string,
): boolean {
  const days = retentionDaysOf(ports, downstream);
  return Date.parse(observedAt) < Date.parse(asOf ?? ports.now) - days * dayMs;
}

/** For how many days an observation keeps an edge to a relation active. */
export function retentionDaysOf({ connectors }: Pick<EvaluationPorts, 'connectors'>, downstream: Node): number {
  const connector = 'connectorId' in downstream ? connectors.get(downstream.connectorId) : undefined;
  return (connector ?? connectorDefaults).observed_retention_days;
}
