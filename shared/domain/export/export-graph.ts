import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { EdgeColumn } from '../graph/ports.ts';
import { datasetOf } from '../identity/dataset-of-node.ts';
import { type Evidence, type JudgedEdge, type JudgePorts, judgeEdges } from '../impact/evidence.ts';
import type { GraphPorts } from '../impact/graph-view.ts';
import type { Derivation } from '../lineage/derivation.ts';
import { type Node, nodeOf, type Urn } from '../lineage/node.ts';
import { type ExportContext, type ExportedEvent, exportEvents } from '../openlineage/export.ts';
import { type ScanPosition, scanGraph } from '../scan/scan-graph.ts';

export type ExportPorts = GraphPorts & JudgePorts;

/** What of a workspace's graph is exported. */
export type ExportRequest = {
  readonly workspace: WorkspaceId;
  /** Only edges with an end on this connector; null: all. */
  readonly connectorId: ConnectorId | null;
  readonly profile: ExportContext['profile'];
  /** The moment that the export holds for: what was recorded later is not in it. */
  readonly asOf: string;
  readonly from: ScanPosition;
};

/** The events of one downstream relation, and where the export goes on after it. */
export type ExportedNode = {
  readonly events: readonly ExportedEvent[];
  readonly skippedEdges: number;
  readonly after: ScanPosition;
};

/** The active edges as OpenLineage events, one downstream relation at a time, in an order that depends on names alone. */
export async function* exportGraph(ports: ExportPorts, request: ExportRequest): AsyncGenerator<ExportedNode> {
  const { workspace, asOf, connectorId, profile } = request;
  const judgement = { workspace, asOf, includeStale: false, minConfidence: 0, withDetails: true };
  const context: ExportContext = { nameOf: (node) => nameOf(ports, node), asOf, profile };
  for await (const { edges, view, after } of scanGraph(ports, workspace, { asOf, from: request.from })) {
    const judged = await judgeEdges(ports, view, judgement, 'in', edges);
    const wanted = judged.filter((edge) => connectorId === null || touches(edge, connectorId));
    const exported = exportEvents(context, derivationsOf(wanted));
    yield { ...exported, after };
  }
}

const nameOf = ({ connectors }: ExportPorts, node: Node) =>
  datasetOf(node.kind === 'relation' ? (connectors.get(node.connectorId) ?? null) : null, node);

const touches = ({ upstream, downstream }: JudgedEdge, connectorId: ConnectorId) =>
  [upstream, downstream].map(nodeOf).some((node) => 'connectorId' in node && node.connectorId === connectorId);

/** The admitted evidence as the producers state it, in the order of their names. */
function derivationsOf(edges: readonly JudgedEdge[]): Derivation[] {
  const derivations = edges.flatMap((edge) =>
    edge.evidence
      .filter(({ disposition }) => disposition === 'admitted')
      .map((evidence) => derivationOf(edge.upstream, edge.downstream, evidence)),
  );
  const nameOfProducer = ({ producer }: Derivation) => JSON.stringify([producer.namespace, producer.name]);
  return derivations.sort((a, b) => (nameOfProducer(a) < nameOfProducer(b) ? -1 : 1));
}

function derivationOf(upstream: Urn, downstream: Urn, { detail, scopeKey }: Evidence): Derivation {
  const input = nodeOf(upstream);
  return {
    output: nodeOf(downstream),
    inputs: [input],
    columns: (detail?.columns ?? []).map((mapping: EdgeColumn) => ({ ...mapping, input })),
    unresolved: detail?.unresolved ?? [],
    producer: detail?.producer ?? { namespace: 'tributary', name: scopeKey },
    statementKind: detail?.statementKind ?? null,
    principal: detail?.principal ?? null,
    location: '',
  };
}
