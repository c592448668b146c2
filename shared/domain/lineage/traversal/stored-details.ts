import type { DetailVersion, EdgeInScope, FoundDetail } from '../graph/derivation.ts';
import { type DetailsByEdge, joinedObservations, joinedVersions } from '../graph/edge-details.ts';
import type { GraphId } from '../graph/node.ts';
import type { DetailedPage, LongDetails, PageDetails, PageReader } from '../graph/page-reader.ts';
import { loadOnce } from './load-once.ts';
import type { ClaimsView, NodeView } from './node-view.ts';

/** Finds the details of edges on the pages of their downstream ends: of several pages the newest order counts. */
export function storedDetails(reader: PageReader, graph: GraphId, nodes: NodeView): ClaimsView['readDetails'] {
  const long = new Map<string, DetailsByEdge>();
  const loadLong = loadOnce(
    long,
    async (places: readonly LongDetails[]) => {
      for (const [item, details] of await reader.longDetails(graph, places)) long.set(item, details);
    },
    ({ item }) => item,
  );
  return async (edges) => {
    await nodes.load(edges.map(({ to }) => to));
    const further = await furtherPages(nodes, edges);
    const placed = edges.map((edge) => ({ edge, places: placesOf(nodes, further, edge) }));
    await loadLong(
      placed.flatMap(({ edge: { to }, places }) => places.flatMap((one) => ('item' in one ? { to, ...one } : []))),
    );
    return placed.flatMap(({ edge, places }): FoundDetail[] => {
      const found = places.map((one) => ('item' in one ? long.get(one.item) : one.inline)?.get(edge.from) ?? none);
      const versions = joinedObservations(found.reduce(joinedVersions, none));
      const [newest] = versions;
      const { from, to, scope } = edge;
      return newest ? [{ from, to, scope, ...newest, ...(versions.length > 1 && { versions }) }] : [];
    });
  };
}

const none: readonly DetailVersion[] = [];

/** The pages beyond the nodes' items, by node: few nodes have any. */
async function furtherPages(
  nodes: NodeView,
  edges: readonly EdgeInScope[],
): Promise<ReadonlyMap<string, DetailedPage[]>> {
  const refs = new Map(
    edges.flatMap((edge) => nodes.pagesOfEdge(edge).map((ref) => [`${ref.node} ${ref.number}`, ref] as const)),
  );
  return Map.groupBy(await nodes.loadFurther('in', [...refs.values()]), ({ node }) => node);
}

function placesOf(
  nodes: NodeView,
  further: ReadonlyMap<string, readonly DetailedPage[]>,
  { to, scope }: EdgeInScope,
): PageDetails[] {
  const others = further.get(to) ?? [];
  return [nodes.detailsOf(to, scope), ...others.map((page) => page.detailsOf(scope))].filter((one) => one !== null);
}
