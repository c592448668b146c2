import type { EdgeExplanation, ExplainedEvidence } from '../../../contract/explain.ts';
import { Problem } from '../../../contract/problems.ts';
import { nodeOf, relationRefOf } from '../../graph/node.ts';
import type { Connector } from '../../identity/connector.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import { type Evidence, engineOf } from '../../traversal/evidence.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import type { ResolvedRoot } from '../../traversal/resolve-root.ts';
import { shownSql } from '../../traversal/shown-literals.ts';
import { connectorsInOrder } from '../relations/meant-relation.ts';
import type { NearestPorts } from '../relations/nearest-relations.ts';
import { shownResolution } from '../relations/resolution.ts';
import { cutExplanation } from './cut-explanation.ts';
import { evidenceColumns } from './evidence-columns.ts';
import { type EvidenceSource, evidenceSources, type SourcePorts, unsourced } from './evidence-sources.ts';
import type { EvidenceStatements } from './evidence-statements.ts';
import { type EdgeReference, findEdge } from './find-edge.ts';
import { unknownColumnOf } from './unknown-column.ts';
import { whyOf } from './why.ts';

export type ExplainPorts = TraversalPorts & NearestPorts & SourcePorts;

type EdgeQuestion = EdgeReference & {
  readonly column: string | null;
  /** A past time, or null for now. */
  readonly asOf: string | null;
};

const mostEvidence = 200;

/** How an edge is known: every piece of evidence, where it was said, what it weighs and why it counts or does not. */
export async function explainEdge(
  ports: ExplainPorts,
  named: Connector | null,
  question: EdgeQuestion,
): Promise<Omit<EdgeExplanation, 'cost'>> {
  const { workspace, asOf, column } = question;
  const view = graphView(ports, workspace, asOf);
  const found = await findEdge(ports, view, named, question);
  const connector = named ?? ownerOf(ports, [found.downstream, found.upstream]);
  const end = async (root: ResolvedRoot, relationRef: string) => ({
    relation_ref: root.urn ? relationRefOf(nodeOf(root.urn)) : relationRef,
    lineage_resolution: await shownResolution(ports, view, named, { workspace, relationRef, root }),
  });
  const options = { workspace, asOf, includeStale: true, minConfidence: 0, withDetails: true };
  const [edge] = found.edge ? followed(await edgeEvaluator(ports, view, options).evaluate('in', [found.edge])) : [];
  const evidence = edge?.evidence.slice(0, mostEvidence) ?? [];
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

/** The connector of the first relation that has one, or else any. Throws `not_found` if the workspace has none. */
function ownerOf(ports: Pick<ExplainPorts, 'connectors'>, ends: readonly ResolvedRoot[]): Connector {
  const nodes = ends.flatMap(({ urn }) => (urn ? [nodeOf(urn)] : []));
  const owners = nodes.flatMap((node) => ('connectorId' in node ? (ports.connectors.get(node.connectorId) ?? []) : []));
  const connector = owners[0] ?? connectorsInOrder(ports)[0];
  if (!connector) throw new Problem('not_found');
  return connector;
}

type Explaining = {
  readonly ports: ExplainPorts;
  readonly view: GraphView;
  readonly edge: EvaluatedEdge;
  readonly connector: Connector;
  readonly question: EdgeQuestion;
};

async function explained(explaining: Explaining, evidence: readonly Evidence[]): Promise<ExplainedEvidence[]> {
  const { ports, question } = explaining;
  const sources = await evidenceSources(ports, question.workspace, evidence);
  return evidence.map((one, i) => evidenceOf(explaining, one, sources[i] ?? unsourced));
}

function evidenceOf(
  { ports, view, edge, connector, question }: Explaining,
  one: Evidence,
  source: EvidenceSource,
): ExplainedEvidence {
  const { detail } = one;
  // Of a moment of which the statement is not kept, nothing is told that another statement says.
  const said = detail?.deliveryId === null ? null : detail;
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
    producer: said?.producer ?? null,
    statement_kind: said?.statementKind ?? null,
    principal: said?.principal ?? null,
    engine: engineOf(ports, said, connector.id),
    delivery: deliveryOf(source, one),
    delivery_missing_reason: missingReason(source, detail),
    ...shownStatements(source.statements, shownSql(ports.connectors, ownersOf(edge))),
    ...evidenceColumns(one, question.column),
  };
}

const missingReason = ({ delivery }: EvidenceSource, detail: Evidence['detail']) => {
  if (!detail || delivery) return null;
  return detail.deliveryId === null ? 'statement_not_kept' : 'receipt_not_kept';
};

const ownersOf = ({ upstream, downstream }: EvaluatedEdge) =>
  [upstream, downstream].map(nodeOf).flatMap((node) => ('connectorId' in node ? [node.connectorId] : []));

const shownStatements = (
  { said_by, sql }: EvidenceStatements,
  shown: (text: string) => string,
): EvidenceStatements => ({
  said_by,
  sql: sql && { ...sql, text: shown(sql.text) },
});

function deliveryOf(
  { delivery, itemIndex, unread }: EvidenceSource,
  { detail }: Evidence,
): ExplainedEvidence['delivery'] {
  if (!delivery) return null;
  const query = new URLSearchParams({ workspace_id: delivery.workspace_id });
  return {
    delivery_id: delivery.delivery_id,
    kind: delivery.kind,
    received_at: delivery.received_at,
    payload: {
      href: `/v1/lineage/deliveries/${delivery.delivery_id}/payload?${query}`,
      item_index: itemIndex,
      pointer: detail?.location ?? '',
      unread_reason: unread,
    },
  };
}
