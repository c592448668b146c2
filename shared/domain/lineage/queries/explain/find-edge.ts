import type { Urn } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { type ExpandedEdge, expand, namesOfNodes } from '../../traversal/expansion.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { ResolvedRoot } from '../../traversal/traverse.ts';
import { ambiguous, connectorsInOrder, onlyRelation, rootsOn } from '../relations/resolve-named-relation.ts';

export type EdgeReference = {
  readonly upstream: string;
  readonly downstream: string;
};

type ResolvedEdge = {
  readonly upstream: ResolvedRoot;
  readonly downstream: ResolvedRoot;
  /** Null if nothing claims it. */
  readonly edge: ExpandedEdge | null;
};

/** The edge between two references on the connector, else on any. Throws `ambiguous_relation` for several. */
export async function findEdge(
  view: GraphView<'directory'>,
  connector: Connector | null,
  { upstream, downstream }: EdgeReference,
): Promise<ResolvedEdge> {
  const on = async (connectors: readonly Connector[]) => ({
    ups: await rootsOn(view, connectors, { relationRef: upstream }),
    downs: await rootsOn(view, connectors, { relationRef: downstream }),
  });
  const own = await on(connector ? [connector] : []);
  const [ownUp, ownDown] = [own.ups[0], own.downs[0]];
  if (ownUp && ownDown) {
    const [edge] = await edgesBetween(view, [ownUp], [ownDown]);
    if (edge) return { upstream: ownUp, downstream: ownDown, edge };
  }
  const others = await on(connectorsInOrder(view.context).filter(({ id }) => id !== connector?.id));
  const ups = [...own.ups, ...others.ups];
  const downs = [...own.downs, ...others.downs];
  const edges = others.ups.length > 0 ? await edgesBetween(view, ups, downs) : [];
  const edge = await onlyEdge(view, edges, [ownUp?.urn, ownDown?.urn]);
  const named = (roots: readonly ResolvedRoot[], urn: Urn | undefined) => roots.find((root) => root.urn === urn);
  return {
    upstream: named(ups, edge?.other) ?? ownUp ?? (await onlyRelation(view, ups)),
    downstream: named(downs, edge?.self) ?? ownDown ?? (await onlyRelation(view, downs)),
    edge,
  };
}

async function onlyEdge(
  view: GraphView,
  edges: readonly ExpandedEdge[],
  own: readonly (Urn | null | undefined)[],
): Promise<ExpandedEdge | null> {
  const [only = null, ...further] = edges;
  if (further.length === 0) return only;
  const [touching, ...more] = edges.filter(({ self, other }) => own.includes(self) || own.includes(other));
  if (touching && more.length === 0) return touching;
  throw await ambiguous(view, [...new Set(edges.flatMap(({ other, self }) => [other, self]))]);
}

async function edgesBetween(
  view: GraphView,
  upstream: readonly ResolvedRoot[],
  downstream: readonly ResolvedRoot[],
): Promise<ExpandedEdge[]> {
  const [ups, downs] = [urnsOf(upstream), urnsOf(downstream)];
  if (ups.length === 0 || downs.length === 0) return [];
  const target = new Set((await namesOfNodes(view, ups)).keys());
  const expansion = await expand(view, { side: 'in', nodes: downs, neighbours: target });
  const edges: ExpandedEdge[] = [];
  for (let found = await expansion.next(500); found; found = await expansion.next(500)) edges.push(...found);
  return downs.flatMap((self) =>
    ups.flatMap((other) => edges.find((one) => one.self === self && one.other === other) ?? []),
  );
}

const urnsOf = (roots: readonly ResolvedRoot[]): Urn[] => [...new Set(roots.flatMap(({ urn }) => urn ?? []))];
