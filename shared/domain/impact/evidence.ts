import type { ConnectorId } from '../../contract/ids.ts';
import type { Side } from '../graph/claim.ts';
import type { NodeId } from '../graph/ids.ts';
import type { DetailStore, EdgeDetail } from '../graph/ports.ts';
import { type Connector, connectorDefaults } from '../lineage/connector.ts';
import { type Node, nodeOf, relationRefOf, type Urn } from '../lineage/node.ts';
import { type Disposition, type Judge, judgeOf } from '../policy/disposition.ts';
import { confidenceOf, defaultPolicy, type Policy, weightOf } from '../policy/policy.ts';
import type { FoundEdge, LiveClaim } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import type { ImpactQuestion } from './question.ts';

/** One provider's claim about one edge in one scope, judged by the policies of both ends' connectors. */
export type Evidence = {
  readonly providerType: string;
  readonly providerInstanceId: string;
  readonly scopeKey: string;
  readonly observedAt: string;
  readonly disposition: Disposition;
  /** The connector whose policy refuses it; null where none does. */
  readonly refusedBy: ConnectorId | null;
  /** What it adds to the edge's confidence where it is admitted. */
  readonly weight: number;
  /** The nodes under whose names it stands. */
  readonly from: NodeId;
  readonly to: NodeId;
  /** Null where it was not read, or the source said nothing beyond the edge. */
  readonly detail: EdgeDetail | null;
};

/** An edge as it is answered: the fusion of its evidence. */
export type JudgedEdge = {
  readonly self: Urn;
  readonly other: Urn;
  readonly upstream: Urn;
  readonly downstream: Urn;
  /** How the interface names both ends. */
  readonly refs: { readonly upstream: string; readonly downstream: string };
  readonly status: 'active' | 'stale';
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
};

export type JudgePorts = {
  readonly details: Pick<DetailStore, 'get'>;
  readonly connectors: ReadonlyMap<ConnectorId, Connector>;
  /** The policies that hold now, of the connectors that have one. */
  readonly policies: ReadonlyMap<ConnectorId, Policy>;
  readonly now: string;
  /** What a change not yet made would make of an edge: null where it would no longer be. */
  readonly overlay?: (edge: JudgedEdge) => JudgedEdge | null;
};

/** What edges are judged for. */
export type Judgement = Pick<ImpactQuestion, 'workspace' | 'asOf' | 'includeStale' | 'minConfidence'> & {
  /** Whether edge details are wanted beyond what a policy looks at. */
  readonly withDetails: boolean;
};

const dayMs = 86_400_000;

/** Judges edges: reads their details where columns are asked for or a policy looks at them, and drops what the question leaves out. */
export async function judgeEdges(
  ports: JudgePorts,
  view: GraphView,
  question: Judgement,
  side: Side,
  edges: readonly FoundEdge[],
): Promise<JudgedEdge[]> {
  const judges = new Map([...ports.policies].map(([connector, policy]) => [connector, judgeOf(policy)]));
  const needed = question.withDetails || [...judges.values()].some(({ needsDetail }) => needsDetail);
  const details = needed ? await detailsOf(ports, question, edges) : new Map<string, EdgeDetail>();
  return edges
    .map((edge) => judgeEdge(ports, view, judges, details, question, side, edge))
    .flatMap((edge) => (ports.overlay ? (ports.overlay(edge) ?? []) : edge))
    .filter((edge) => edge.evidence.length > 0)
    .filter((edge) => question.includeStale || edge.status === 'active')
    .filter((edge) => edge.status === 'stale' || edge.confidence >= question.minConfidence);
}

const detailName = ({ from, to, scope }: Pick<LiveClaim, 'from' | 'to' | 'scope'>) => `${from} ${to} ${scope}`;

async function detailsOf(ports: JudgePorts, { workspace }: Judgement, edges: readonly FoundEdge[]) {
  const found = await ports.details.get(
    workspace,
    edges.flatMap(({ claims }) => claims),
  );
  return new Map(found.map((one) => [detailName(one), one.detail]));
}

function judgeEdge(
  ports: JudgePorts,
  view: GraphView,
  judges: ReadonlyMap<ConnectorId, Judge>,
  details: ReadonlyMap<string, EdgeDetail>,
  question: Judgement,
  side: Side,
  { self, other, claims }: FoundEdge,
): JudgedEdge {
  const [upstream, downstream] = side === 'out' ? [self, other] : [other, self];
  const ends = [nodeOf(upstream), nodeOf(downstream)] as const;
  const refs = { upstream: relationRefOf(ends[0]), downstream: relationRefOf(ends[1]) };
  const owners = ends.flatMap((end) => ('connectorId' in end ? [end.connectorId] : []));
  const judging = [...new Set(owners)].filter((owner) => judges.has(owner));
  const weights = (owners[0] && ports.policies.get(owners[0])?.weights) || defaultPolicy.weights;
  const evidence = claims.flatMap((claim): Evidence[] => {
    const head = view.scope(claim.scope)?.head;
    if (!head) return [];
    const detail = details.size > 0 ? (details.get(detailName(claim)) ?? null) : null;
    const expired = head.kind === 'observed' && isExpired(ports, question.asOf, ends[1], claim.observedAt);
    const judged = {
      ...refs,
      providerType: head.providerType,
      statementKind: detail?.statementKind ?? null,
      principal: detail?.principal ?? null,
    };
    const verdicts = judging.map((owner) => {
      const engine = ports.connectors.get(owner)?.kind ?? null;
      return { owner, verdict: judges.get(owner)?.judge({ ...judged, engine }) ?? ('admitted' as const) };
    });
    const refusal = verdicts.find(({ verdict }) => verdict !== 'admitted');
    return [
      {
        providerType: head.providerType,
        providerInstanceId: head.providerInstanceId,
        scopeKey: head.scopeKey,
        observedAt: claim.observedAt,
        disposition: refusal?.verdict ?? (expired ? 'expired:not_observed' : 'admitted'),
        refusedBy: refusal?.owner ?? null,
        weight: weightOf(weights, head.providerType),
        from: claim.from,
        to: claim.to,
        detail,
      },
    ];
  });
  const admitted = evidence.filter(({ disposition }) => disposition === 'admitted');
  return {
    self,
    other,
    upstream,
    downstream,
    refs,
    status: admitted.length > 0 ? 'active' : 'stale',
    confidence: confidenceOf(admitted.map(({ weight }) => weight)),
    evidence: evidence.sort((a, b) => (a.scopeKey < b.scopeKey ? -1 : 1)),
  };
}

/** Observed evidence that was not seen for the retention of its downstream's connector no longer holds an edge up. */
export function isExpired(
  ports: Pick<JudgePorts, 'connectors' | 'now'>,
  asOf: string | null,
  downstream: Node,
  observedAt: string,
): boolean {
  const days = retentionDaysOf(ports, downstream);
  return Date.parse(observedAt) < Date.parse(asOf ?? ports.now) - days * dayMs;
}

/** For how many days an observation holds an edge to a relation up. */
export function retentionDaysOf({ connectors }: Pick<JudgePorts, 'connectors'>, downstream: Node): number {
  const connector = 'connectorId' in downstream ? connectors.get(downstream.connectorId) : undefined;
  return (connector ?? connectorDefaults).observed_retention_days;
}
