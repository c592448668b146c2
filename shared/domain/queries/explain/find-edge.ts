import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Urn } from '../../graph/node.ts';
import type { Connector } from '../../identity/connector.ts';
import { sortedBy } from '../../sorted-by.ts';
import { type ExpandedEdge, expand, namesOfNodes } from '../../traversal/expansion.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import { type ResolvedRoot, resolveRoot } from '../../traversal/resolve-root.ts';

export type EdgeReference = {
  readonly workspace: WorkspaceId;
  readonly upstream: string;
  readonly downstream: string;
};

type ResolvedEdge = {
  readonly upstream: ResolvedRoot;
  readonly downstream: ResolvedRoot;
  /** Null where nothing claims it. */
  readonly edge: ExpandedEdge | null;
};

/**
 * The edge between two references as people write them. Each is a name on the connector; where there is no such edge,
 * an end may be a relation of another connector, which impact shows by its name alone.
 */
export async function findEdge(
  ports: TraversalPorts,
  view: GraphView,
  connector: Connector,
  { workspace, upstream, downstream }: EdgeReference,
): Promise<ResolvedEdge> {
  const resolve = (on: Connector, relationRef: string) => resolveRoot(ports, view, on, { workspace, relationRef });
  const own = { upstream: await resolve(connector, upstream), downstream: await resolve(connector, downstream) };
  const edge = await firstEdge(view, [own.upstream], [own.downstream]);
  if (edge) return { ...own, edge };
  const others = sortedBy(
    [...ports.connectors.values()].filter(({ id }) => id !== connector.id),
    ({ id }) => id,
  );
  const [ups, downs] = [[own.upstream], [own.downstream]];
  for (const other of others) {
    ups.push(await resolve(other, upstream));
    downs.push(await resolve(other, downstream));
  }
  const foreign = others.length > 0 ? await firstEdge(view, ups, downs) : null;
  const named = (roots: readonly ResolvedRoot[], urn: Urn | undefined) => roots.find((root) => root.urn === urn);
  return {
    upstream: named(ups, foreign?.other) ?? own.upstream,
    downstream: named(downs, foreign?.self) ?? own.downstream,
    edge: foreign,
  };
}

/** The first edge from one of the upstream candidates to one of the downstream ones, in their order; reads no other neighbours' pages. */
async function firstEdge(
  view: GraphView,
  upstream: readonly ResolvedRoot[],
  downstream: readonly ResolvedRoot[],
): Promise<ExpandedEdge | null> {
  const [ups, downs] = [urnsOf(upstream), urnsOf(downstream)];
  if (ups.length === 0 || downs.length === 0) return null;
  const wanted = new Set((await namesOfNodes(view, ups)).keys());
  const expansion = await expand(view, { side: 'in', nodes: downs, neighbours: wanted });
  const edges: ExpandedEdge[] = [];
  for (let found = await expansion.next(500); found; found = await expansion.next(500)) edges.push(...found);
  for (const self of downs) {
    for (const other of ups) {
      const edge = edges.find((one) => one.self === self && one.other === other);
      if (edge) return edge;
    }
  }
  return null;
}

const urnsOf = (roots: readonly ResolvedRoot[]): Urn[] => [...new Set(roots.flatMap(({ urn }) => urn ?? []))];
