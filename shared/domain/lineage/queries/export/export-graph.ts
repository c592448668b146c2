import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import { sortedBy } from '../../../base/collections.ts';
import type { Derivation, EdgeColumn } from '../../graph/derivation.ts';
import { type Node, nodeOf, ownerOf, type Urn, urnOf } from '../../graph/node.ts';
import type { RelationSchema } from '../../graph/schema.ts';
import { datasetOf } from '../../names/dataset-of-node.ts';
import { type ExportContext, type ExportedEvent, exportEvents } from '../../sources/openlineage/export.ts';
import type { ColumnsView } from '../../traversal/columns-view.ts';
import { detailsOfNodes } from '../../traversal/detail-view.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import type { Evidence } from '../../traversal/evidence.ts';
import type { ExpandedEdge } from '../../traversal/expansion.ts';
import type { GraphQuery, QueryContext } from '../../traversal/ports.ts';
import { type ScannedPage, type ScanPosition, scanPages } from '../../traversal/scan-graph.ts';

type ExportQuery = GraphQuery<'details'>;

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
type ExportedNode = {
  readonly events: readonly ExportedEvent[];
  readonly skippedEdges: number;
  readonly after: ScanPosition;
};

/** How much of the graph is read in one go, and how many such pages before they are requested. */
type ReadAheadOptions = { readonly nodesPerPage: () => number; readonly ahead: number };

/**
 * The active edges as OpenLineage events, one downstream relation after the other, in an order that depends on names
 * alone; those that were read together come together.
 */
export function exportGraph(
  query: ExportQuery,
  request: ExportRequest,
  reading: ReadAheadOptions,
): AsyncGenerator<readonly ExportedNode[]> {
  const { asOf, from } = request;
  return scanPages(query, { asOf, from, ...reading }, (page) => exportNodes(request, page));
}

async function exportNodes(
  { asOf, connectorId, profile }: ExportRequest,
  { nodes, range, view }: ScannedPage<ExportQuery>,
): Promise<ExportedNode[]> {
  const found = nodes.flatMap(({ edges }) => edges);
  const target = connectorId === null ? found : found.filter((edge) => touches(edge, connectorId));
  const { details } = view.reader;
  const ofPage = target.length > found.length / detailScanRatio ? detailsOfNodes(details, range) : details;
  const options = { asOf, includeStale: false, minConfidence: 0, withDetails: true };
  const evaluated = followed(
    await edgeEvaluator({ ...view, reader: { ...view.reader, details: ofPage } }, options).evaluate('in', target),
  );
  const edges = Map.groupBy(evaluated, ({ downstream }) => downstream);
  await view.columns.load(evaluated.flatMap(({ upstream, downstream }) => [upstream, downstream]));
  const columnsOf = (node: Node) => schemaOf(view.columns, urnOf(node));
  const context: ExportContext = { nameOf: (node) => nameOf(view.context, node), columnsOf, asOf, profile };
  return nodes.map(({ downstream, after }) => ({
    ...exportEvents(context, derivationsOf(edges.get(downstream) ?? [])),
    after,
  }));
}

/** Where one in this many edges is wanted, reading the details of those by key is less than reading all. */
const detailScanRatio = 8;

/** The list that all sources together tell; if it is not whole, the newest that other relations' lists would complete. */
function schemaOf({ of, statedOf }: ColumnsView, relation: Urn): RelationSchema | null {
  const known = of(relation);
  const columns = [...(known?.columns.values() ?? [])];
  if (known?.complete) return { columns, stars: [], complete: true };
  const open = sortedBy(statedOf(relation), ({ at }) => at).findLast(({ content }) => content.stars.length > 0);
  if (open) return open.content;
  return known && { columns, stars: [], complete: false };
}

const nameOf = ({ connectors }: QueryContext, node: Node) =>
  datasetOf(node.kind === 'relation' ? (connectors.get(node.connectorId) ?? null) : null, node);

const touches = ({ self, other }: ExpandedEdge, connectorId: ConnectorId) =>
  [self, other].map(nodeOf).some((node) => ownerOf(node) === connectorId);

/** The admitted evidence as the producers state it, in the order of their names. */
function derivationsOf(edges: readonly EvaluatedEdge[]): Derivation[] {
  const named = edges.flatMap((edge) =>
    edge.evidence
      .filter(({ disposition }) => disposition === 'admitted')
      .map((evidence) => {
        const derivation = derivationOf(edge.upstream, edge.downstream, evidence);
        const { namespace, name } = derivation.producer;
        return { derivation, name: JSON.stringify([namespace, name]) };
      }),
  );
  return sortedBy(
    named,
    ({ name }) => name,
    ({ derivation }) => JSON.stringify(derivation),
  ).map(({ derivation }) => derivation);
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
