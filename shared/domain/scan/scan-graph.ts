import type { WorkspaceId } from '../../contract/ids.ts';
import { type NodeId, shardCount } from '../graph/ids.ts';
import { expand, type FoundEdge } from '../impact/expansion.ts';
import { type GraphPorts, type GraphView, graphView } from '../impact/graph-view.ts';
import type { Urn } from '../lineage/node.ts';

/** Where a scan stands: the nodes after `node` in `shard`, then all later shards. */
export type ScanPosition = { readonly shard: number; readonly node: NodeId | null };

export const scanStart: ScanPosition = { shard: 0, node: null };

/** A relation with all live edges to it, and where a scan goes on after it. */
export type ScannedNode = {
  readonly downstream: Urn;
  readonly edges: readonly FoundEdge[];
  /** The view that found them: names and scopes are known to it. */
  readonly view: GraphView;
  readonly after: ScanPosition;
};

const nodesAPage = 50;

/**
 * Every live edge of a workspace, once, grouped by its downstream relation and in an order that depends on names alone.
 * Memory is bounded by one page of nodes.
 *
 * @param options.cutObserved whether observations that began after `asOf` are left out too
 */
export async function* scanGraph(
  ports: GraphPorts,
  workspace: WorkspaceId,
  {
    asOf,
    from = scanStart,
    cutObserved = false,
  }: { readonly asOf: string | null; readonly from?: ScanPosition; readonly cutObserved?: boolean },
): AsyncGenerator<ScannedNode> {
  for (let { shard, node } = from; shard < shardCount; shard++, node = null) {
    for (;;) {
      const pages = await ports.pages.scan(workspace, 'in', shard, node, nodesAPage);
      if (pages.length === 0) break;
      const view = graphView(ports, workspace, asOf, { cutObserved });
      await view.seed('in', pages);
      const urns = pages.flatMap(({ urn }) => urn ?? []);
      const edges = Map.groupBy(await allEdges(view, urns), ({ self }) => self);
      for (const page of pages) {
        node = page.node;
        const found = page.urn === null ? undefined : edges.get(page.urn);
        if (page.urn !== null && found) {
          const ordered = found.sort((a, b) => (a.other < b.other ? -1 : 1));
          yield { downstream: page.urn, edges: ordered, view, after: { shard, node } };
        }
      }
    }
  }
}

async function allEdges(view: GraphView, urns: readonly Urn[]): Promise<FoundEdge[]> {
  const found: FoundEdge[] = [];
  const expansion = await expand(view, 'in', urns, () => false);
  for (let edges = await expansion.next(500); edges; edges = await expansion.next(500)) found.push(...edges);
  return found;
}
