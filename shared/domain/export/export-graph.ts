import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { DetailStore, EdgeColumn, NodeRange } from '../graph/ports.ts';
import { datasetOf } from '../identity/dataset-of-node.ts';
import { type Evidence, type JudgedEdge, type JudgePorts, judgeEdges } from '../impact/evidence.ts';
import type { FoundEdge } from '../impact/expansion.ts';
import type { GraphPorts } from '../impact/graph-view.ts';
import type { Derivation } from '../lineage/derivation.ts';
import { type Node, nodeOf, type Urn } from '../lineage/node.ts';
import { type ExportContext, type ExportedEvent, exportEvents } from '../openlineage/export.ts';
import { type ScannedPage, type ScanPosition, scanPages } from '../scan/scan-graph.ts';

export type ExportPorts = GraphPorts & JudgePorts & { readonly details: Pick<DetailStore, 'ofNodes'> };

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

/** How much of the graph is read in one go, and how many such pages before they are asked for. */
export type Reading = { readonly nodesAPage: number; readonly ahead: number };

/** The active edges as OpenLineage events, one downstream relation at a time, in an order that depends on names alone. */
export async function* exportGraph(
  ports: ExportPorts,
  request: ExportRequest,
  reading: Reading,
): AsyncGenerator<ExportedNode> {
  const { workspace, asOf, from } = request;
  const scan = { workspace, asOf, from, ...reading };
  for await (const nodes of scanPages(ports, scan, (page) => exportPageOfNodes(ports, request, page))) yield* nodes;
}

async function exportPageOfNodes(
  ports: ExportPorts,
  { workspace, asOf, connectorId, profile }: ExportRequest,
  { nodes, range, view }: ScannedPage,
): Promise<ExportedNode[]> {
  const found = nodes.flatMap(({ edges }) => edges);
  const wanted = connectorId === null ? found : found.filter((edge) => touches(edge, connectorId));
  const details = wanted.length > found.length / few ? detailsOfNodes(ports.details, range) : ports.details;
  const judgement = { workspace, asOf, includeStale: false, minConfidence: 0, withDetails: true };
  const judged = await judgeEdges({ ...ports, details }, view, judgement, 'in', wanted);
  const edges = Map.groupBy(judged, ({ downstream }) => downstream);
  const context: ExportContext = { nameOf: (node) => nameOf(ports, node), asOf, profile };
  return nodes.map(({ downstream, after }) => ({
    ...exportEvents(context, derivationsOf(edges.get(downstream) ?? [])),
    after,
  }));
}

/** Where one in so many edges is wanted, reading the details of those by key is less than reading all. */
const few = 8;

/** Details read by the range of their nodes: all of a page's lie together, but for those under other names of them. */
function detailsOfNodes(details: ExportPorts['details'], nodes: NodeRange): JudgePorts['details'] {
  return {
    get: async (workspace, edges) => {
      const elsewhere = edges.filter(({ to }) => to < nodes.first || to > nodes.last);
      const found = [details.ofNodes(workspace, nodes), details.get(workspace, elsewhere)];
      return (await Promise.all(found)).flat();
    },
  };
}

const nameOf = ({ connectors }: ExportPorts, node: Node) =>
  datasetOf(node.kind === 'relation' ? (connectors.get(node.connectorId) ?? null) : null, node);

const touches = ({ self, other }: FoundEdge, connectorId: ConnectorId) =>
  [self, other].map(nodeOf).some((node) => 'connectorId' in node && node.connectorId === connectorId);

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
