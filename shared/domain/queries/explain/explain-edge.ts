import type { EdgeExplanation, ExplainedEvidence } from '../../../contract/explain.ts';
import { DeliveryId, idOrNull } from '../../../contract/ids.ts';
import { inParallel } from '../../concurrency/in-parallel.ts';
import { nodeId } from '../../graph/ids.ts';
import { nodeOf, relationRefOf, urnOf } from '../../graph/node.ts';
import type { Connector } from '../../identity/connector.ts';
import { type NamedDataset, resolveDataset } from '../../identity/resolve-dataset.ts';
import type { Delivery } from '../../ingest/deliveries/delivery.ts';
import type { DeliveryStore, PayloadStore } from '../../ingest/deliveries/ports.ts';
import { readPayload } from '../../ingest/deliveries/read-payload.ts';
import { sortedBy } from '../../sorted-by.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import { type Evidence, engineOf } from '../../traversal/evidence.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import type { ResolvedRoot } from '../../traversal/resolve-root.ts';
import { shownSql } from '../../traversal/shown-literals.ts';
import type { NearestPorts } from '../relations/nearest-relations.ts';
import { shownResolution } from '../relations/resolution.ts';
import { cutExplanation } from './cut-explanation.ts';
import { evidenceColumns } from './evidence-columns.ts';
import { type EvidenceStatements, statementsOf } from './evidence-statements.ts';
import { type EdgeReference, findEdge } from './find-edge.ts';
import { itemIndexOf } from './item-index.ts';
import { unknownColumnOf } from './unknown-column.ts';
import { whyOf } from './why.ts';

export type ExplainPorts = TraversalPorts &
  NearestPorts & {
    readonly deliveries: Pick<DeliveryStore, 'get'>;
    readonly payloads: Pick<PayloadStore, 'stream'>;
  };

type EdgeQuestion = EdgeReference & {
  readonly column: string | null;
  /** A past time, or null for now. */
  readonly asOf: string | null;
};

/** Bounds of one answer: payloads are read whole, and are as large as their senders made them. */
const answerLimits = { evidence: 200, payloads: 10, payloadBytes: 32 * 1024 * 1024 };
const payloadsInFlight = 2;
const deliveriesInFlight = 16;

/** How an edge is known: every piece of evidence, where it was said, what it weighs and why it counts or does not. */
export async function explainEdge(
  ports: ExplainPorts,
  connector: Connector,
  question: EdgeQuestion,
): Promise<Omit<EdgeExplanation, 'cost'>> {
  const { workspace, asOf, column } = question;
  const view = graphView(ports, workspace, asOf);
  const found = await findEdge(ports, view, connector, question);
  const end = async (root: ResolvedRoot, relationRef: string) => ({
    relation_ref: root.urn ? relationRefOf(nodeOf(root.urn)) : relationRef,
    lineage_resolution: await shownResolution(ports, view, connector, { workspace, relationRef, root }),
  });
  const options = { workspace, asOf, includeStale: true, minConfidence: 0, withDetails: true };
  const [edge] = found.edge ? followed(await edgeEvaluator(ports, view, options)('in', [found.edge])) : [];
  const evidence = edge?.evidence.slice(0, answerLimits.evidence) ?? [];
  return cutExplanation({
    workspace_id: workspace,
    connector_id: connector.id,
    upstream: await end(found.upstream, question.upstream),
    downstream: await end(found.downstream, question.downstream),
    column_ref: column,
    column_unresolved_reason: edge ? await unknownColumnOf(ports, view, { workspace, asOf, column }, edge) : null,
    found: edge !== undefined,
    status: edge?.status ?? null,
    confidence: edge?.confidence ?? 0,
    evidence: edge ? await explained({ ports, view, edge, connector, question }, evidence) : [],
    truncated: (edge?.evidence.length ?? 0) > evidence.length,
    as_of: asOf ?? ports.now,
  });
}

type Explaining = {
  readonly ports: ExplainPorts;
  readonly view: GraphView;
  readonly edge: EvaluatedEdge;
  readonly connector: Connector;
  readonly question: EdgeQuestion;
};

async function explained(explaining: Explaining, evidence: readonly Evidence[]): Promise<ExplainedEvidence[]> {
  const deliveries = await deliveriesOf(explaining, evidence);
  const payloads = await payloadsOf(explaining, [...deliveries.values()]);
  return evidence.map((one) => {
    const delivery = deliveries.get(one.detail?.deliveryId ?? '');
    return evidenceOf(
      explaining,
      one,
      delivery ?? null,
      delivery ? (payloads.get(delivery.delivery_id) ?? null) : null,
    );
  });
}

async function deliveriesOf({ ports, question }: Explaining, evidence: readonly Evidence[]) {
  const ids = new Set(evidence.flatMap(({ detail }) => (detail && idOrNull(DeliveryId, detail.deliveryId)) ?? []));
  const found = await inParallel(deliveriesInFlight, [...ids], (id) => ports.deliveries.get(question.workspace, id));
  return new Map(found.flatMap((delivery) => (delivery ? [[String(delivery.delivery_id), delivery] as const] : [])));
}

type Payload = { readonly body: unknown; readonly unread: string | null };

/** The newest payloads, as many as an answer may read. */
async function payloadsOf({ ports }: Explaining, deliveries: readonly Delivery[]): Promise<Map<string, Payload>> {
  const newest = sortedBy(
    deliveries,
    (one) => one.received_at,
    (one) => one.delivery_id,
  ).reverse();
  const read = await inParallel(payloadsInFlight, newest.slice(0, answerLimits.payloads), async (delivery) => {
    const payload = await readPayload(ports, delivery, answerLimits.payloadBytes);
    return payload.kind === 'read'
      ? { body: payload.body, unread: null }
      : { body: undefined, unread: 'payload_too_large' };
  });
  const unread = { body: undefined, unread: 'too_many_payloads' };
  return new Map(newest.map(({ delivery_id }, i) => [delivery_id, read[i] ?? unread]));
}

function evidenceOf(
  { ports, view, edge, connector, question }: Explaining,
  one: Evidence,
  delivery: Delivery | null,
  payload: Payload | null,
): ExplainedEvidence {
  const { detail } = one;
  return {
    provider_type: one.providerType,
    provider_instance_id: one.providerInstanceId,
    scope_key: one.scopeKey,
    observed_at: one.observedAt,
    disposition: one.disposition,
    why: whyOf(ports, edge, one),
    weight: one.weight,
    named_as: {
      upstream: relationRefOf(nodeOf(view.nodes.urnOf(one.from) ?? edge.upstream)),
      downstream: relationRefOf(nodeOf(view.nodes.urnOf(one.to) ?? edge.downstream)),
    },
    producer: detail?.producer ?? null,
    statement_kind: detail?.statementKind ?? null,
    principal: detail?.principal ?? null,
    engine: engineOf(ports, detail, connector.id),
    delivery: delivery && deliveryOf(delivery, one, payload),
    delivery_missing_reason: detail && !delivery ? 'receipt_not_kept' : null,
    ...shownStatements(statementsIn(ports, one, delivery, payload), shownSql(ports.connectors, ownersOf(edge))),
    ...evidenceColumns(one, question.column),
  };
}

const ownersOf = ({ upstream, downstream }: EvaluatedEdge) =>
  [upstream, downstream].map(nodeOf).flatMap((node) => ('connectorId' in node ? [node.connectorId] : []));

const shownStatements = (
  { said_by, sql }: EvidenceStatements,
  shown: (text: string) => string,
): EvidenceStatements => ({
  said_by,
  sql: sql && { ...sql, text: shown(sql.text) },
});

function deliveryOf(delivery: Delivery, { detail }: Evidence, payload: Payload | null): ExplainedEvidence['delivery'] {
  const pointer = detail?.location ?? '';
  const isRead = payload !== null && payload.unread === null;
  const query = new URLSearchParams({ workspace_id: delivery.workspace_id });
  return {
    delivery_id: delivery.delivery_id,
    kind: delivery.kind,
    received_at: delivery.received_at,
    payload: {
      href: `/v1/lineage/deliveries/${delivery.delivery_id}/payload?${query}`,
      item_index: isRead ? itemIndexOf(delivery.kind, payload.body, pointer) : null,
      pointer,
      unread_reason: payload?.unread ?? null,
    },
  };
}

function statementsIn(
  { connectors }: ExplainPorts,
  { detail, to }: Evidence,
  delivery: Delivery | null,
  payload: Payload | null,
): EvidenceStatements {
  if (!delivery || !detail || payload?.unread !== null) return { said_by: [], sql: null };
  const isDownstream = (dataset: NamedDataset) =>
    nodeId(urnOf(resolveDataset([...connectors.values()], dataset).node)) === to;
  return statementsOf({ kind: delivery.kind, body: payload.body, detail, isDownstream });
}
