import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { layers, schemaOf } from '../../../contract/layers.ts';
import type { GraphOverview } from '../../../contract/overview.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import { nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import { layerOfNode } from '../names/connector.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from '../traversal/evaluate.ts';
import { admittedOf } from '../traversal/evidence.ts';
import { touches } from '../traversal/expansion.ts';
import type { GraphQuery, QueryContext } from '../traversal/graph-view.ts';
import { type ScannedPage, scanPages } from '../traversal/scan-graph.ts';

type CountQuery = GraphQuery;

/** The number of relations that are read in about a second. A larger graph is counted in part. */
const mostRead = 5_000;
const [nodesPerPage, pagesAhead] = [500, 3];

/** What a page of the graph adds to the counts. */
type Part = {
  readonly read: number;
  readonly edges: readonly EvaluatedEdge[];
  /** The columns of each relation, in lower case. */
  readonly columns: ReadonlyMap<Urn, ReadonlySet<string>>;
};

/** Counts a workspace's active graph, or the edges with an end on one connector (C-OVERVIEW-1). */
export async function countGraph(
  query: CountQuery,
  workspace: WorkspaceId,
  connectorId: ConnectorId | null,
  most = mostRead,
): Promise<Omit<GraphOverview, 'cost'>> {
  const parts: Part[] = [];
  let [read, truncated] = [0, false];
  const scan = { asOf: null, nodesPerPage: () => nodesPerPage, ahead: pagesAhead };
  for await (const part of scanPages(query, scan, (page) => partOf(connectorId, page))) {
    truncated = read >= most || query.context.isSpent();
    if (truncated) break;
    read += part.read;
    parts.push(part);
  }
  const edges = parts.flatMap((part) => part.edges);
  const columns = mergedColumns(parts);
  return {
    workspace_id: workspace,
    connector_id: connectorId,
    relations: columns.size,
    columns: [...columns.values()].reduce((sum, own) => sum + own.size, 0),
    edges: edges.length,
    edges_with_columns: edges.filter(hasColumns).length,
    ...schemasOf(query.context, [...columns.keys()], edges),
    truncated,
  };
}

async function partOf(connectorId: ConnectorId | null, page: ScannedPage<CountQuery>): Promise<Part> {
  const { read, nodes, view } = page;
  const options = activeEdges(null, { withDetails: true });
  const found = nodes
    .flatMap((node) => node.edges)
    .filter((edge) => connectorId === null || touches(edge, connectorId));
  const edges = followed(await edgeEvaluator(view, options).evaluate('in', found));
  const ends = new Set(edges.flatMap(({ upstream, downstream }) => [upstream, downstream]));
  await view.columns.load(ends);
  const columns = new Map([...ends].map((urn) => [urn, new Set(view.columns.of(urn)?.columns.keys())]));
  for (const { upstream, downstream, ...edge } of edges)
    for (const { inputColumn, outputColumn } of mappingsOf(edge)) {
      columns.get(upstream)?.add(inputColumn.toLowerCase());
      if (outputColumn !== null) columns.get(downstream)?.add(outputColumn.toLowerCase());
    }
  return { read: read.length, edges, columns };
}

const mappingsOf = ({ evidence }: Pick<EvaluatedEdge, 'evidence'>) =>
  admittedOf(evidence).flatMap(({ detail }) => detail?.columns ?? []);

const hasColumns = (edge: EvaluatedEdge): boolean => mappingsOf(edge).length > 0;

function mergedColumns(parts: readonly Part[]): ReadonlyMap<Urn, ReadonlySet<string>> {
  const merged = new Map<Urn, ReadonlySet<string>>();
  for (const { columns } of parts)
    for (const [urn, own] of columns) merged.set(urn, new Set([...own, ...(merged.get(urn) ?? [])]));
  return merged;
}

/** The schemas with their layers and sizes, and how many edges lead from one to another. */
function schemasOf({ connectors }: QueryContext, relations: readonly Urn[], edges: readonly EvaluatedEdge[]) {
  const sizes = new Map<string, Omit<GraphOverview['schemas'][number], 'relations'> & { relations: number }>();
  const keys = new Map<Urn, string>();
  for (const urn of relations) {
    const node = nodeOf(urn);
    const place = { schema: schemaOf(relationRefOf(node)), layer: layerOfNode(connectors, node) };
    const key = JSON.stringify(place);
    findOrAdd(sizes, key, () => ({ ...place, relations: 0 })).relations++;
    keys.set(urn, key);
  }
  const sorted = sortedBy([...sizes.keys()], (key) => key).toSorted((a, b) => orderOf(sizes, a) - orderOf(sizes, b));
  const at = new Map(sorted.map((key, index) => [key, index]));
  const place = (urn: Urn) => at.get(keys.get(urn) ?? '') ?? 0;
  const between = Map.groupBy(edges, ({ upstream, downstream }) => `${place(upstream)} ${place(downstream)}`);
  const flows = [...between].map(([key, { length }]) => {
    const [upstream = 0, downstream = 0] = key.split(' ').map(Number);
    return { upstream, downstream, edges: length };
  });
  return {
    schemas: sorted.flatMap((key) => sizes.get(key) ?? []),
    flows: flows.sort((a, b) => a.upstream - b.upstream || a.downstream - b.downstream),
  };
}

/** By layer, then the largest first. No graph that is counted has a million relations. */
function orderOf(sizes: ReadonlyMap<string, GraphOverview['schemas'][number]>, key: string): number {
  const one = sizes.get(key);
  return one ? layers.indexOf(one.layer) * 1e6 - one.relations : 0;
}
