import type { WorkspaceId } from '../../contract/ids.ts';
import type { ImpactPorts } from '../impact/ask.ts';
import { expand, type FoundEdge, membersOf } from '../impact/expansion.ts';
import type { GraphView } from '../impact/graph-view.ts';
import { type ResolvedRoot, resolveRoot } from '../impact/resolve-root.ts';
import type { Connector } from '../lineage/connector.ts';
import type { Urn } from '../lineage/node.ts';

export type EdgeReference = {
  readonly workspace: WorkspaceId;
  readonly upstream: string;
  readonly downstream: string;
};

export type EdgeFound = {
  readonly upstream: ResolvedRoot;
  readonly downstream: ResolvedRoot;
  /** Null where nothing claims it. */
  readonly edge: FoundEdge | null;
};

/**
 * The edge between two references as people write them. Each is a name on the connector; where there is no such edge,
 * an end may be a relation of another connector, which impact shows by its name alone.
 */
export async function findEdge(
  ports: ImpactPorts,
  view: GraphView,
  connector: Connector,
  { workspace, upstream, downstream }: EdgeReference,
): Promise<EdgeFound> {
  const resolve = (on: Connector, relationRef: string) => resolveRoot(ports, view, on, { workspace, relationRef });
  const own = { upstream: await resolve(connector, upstream), downstream: await resolve(connector, downstream) };
  const edge = await firstEdge(view, [own.upstream], [own.downstream]);
  if (edge) return { ...own, edge };
  const others = [...ports.connectors.values()].filter(({ id }) => id !== connector.id).sort(byId);
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

const byId = (a: Connector, b: Connector) => (a.id < b.id ? -1 : 1);

/** The first edge from one of the upstream candidates to one of the downstream ones, in their order; reads no other neighbours' pages. */
async function firstEdge(
  view: GraphView,
  upstream: readonly ResolvedRoot[],
  downstream: readonly ResolvedRoot[],
): Promise<FoundEdge | null> {
  const [ups, downs] = [urnsOf(upstream), urnsOf(downstream)];
  if (ups.length === 0 || downs.length === 0) return null;
  const wanted = new Set((await membersOf(view, ups)).keys());
  const expansion = await expand(view, 'in', downs, () => false, wanted);
  const edges: FoundEdge[] = [];
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
