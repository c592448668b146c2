import type { OpenGraph } from '../../generations/graph-record.ts';
import type { ClaimedEdge } from '../../graph/derivation.ts';
import { nodeId, nodeOf, ownerOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { layerOfNode } from '../../names/connector.ts';
import type { GraphView, QueryContext } from '../../traversal/graph-view.ts';
import { columnsNamed, readDetails } from './columns-named.ts';
import { furtherPagesRead, type Neighbourhood, neighbourhoodsOf } from './neighbourhood.ts';
import type { RankedRelation } from './rank-relations.ts';

const claimsReadForColumns = 400;

export type ListContext = OpenGraph & Pick<QueryContext, 'connectors'>;

export async function describe(view: GraphView<never, ListContext>, ranked: readonly RankedRelation[]) {
  const wide = ranked.filter(({ neighbourhood }) => neighbourhood.hasUnreadPages).map(({ urn }) => urn);
  const [read, columns] = await Promise.all([
    neighbourhoodsOf(view, wide, furtherPagesRead),
    columnsKnown(view, ranked),
  ]);
  return ranked.map(({ urn, neighbourhood }) => {
    const node = nodeOf(urn);
    const { counts, last } = read.get(urn) ?? neighbourhood;
    const item = {
      relation_ref: relationRefOf(node),
      connector_id: ownerOf(node),
      kind: node.kind,
      layer: layerOfNode(view.context.connectors, node),
      columns_known: columns.get(urn)?.size ?? 0,
      last_observed_at: last,
      upstream_count: counts.in,
      downstream_count: counts.out,
    };
    return { urn, item };
  });
}

/** By feeding evidence and column lists, else by readers, which each have their own item. */
async function columnsKnown(
  view: GraphView<never, OpenGraph>,
  ranked: readonly RankedRelation[],
): Promise<ReadonlyMap<Urn, ReadonlySet<string>>> {
  const each = Math.ceil(claimsReadForColumns / Math.max(1, ranked.length));
  const named = (relations: readonly RankedRelation[], side: 'in' | 'out') =>
    readDetails(
      view,
      relations.flatMap(({ neighbourhood }) => claimsOf(neighbourhood, side).slice(0, each)),
    );
  const [fed] = await Promise.all([named(ranked, 'in'), view.columns.load(ranked.map(({ urn }) => urn))]);
  const found = new Map(
    ranked.map(({ urn, neighbourhood }) => [
      urn,
      new Set([...columnsNamed(neighbourhood, fed).keys(), ...(view.columns.of(urn)?.columns.keys() ?? [])]),
    ]),
  );
  const nameless = ranked.filter(({ urn }) => found.get(urn)?.size === 0);
  const readers = await named(nameless, 'out');
  for (const { urn, neighbourhood } of nameless) found.set(urn, new Set(columnsNamed(neighbourhood, readers).keys()));
  return found;
}

/** The claims of the edges that feed a relation, or that lead on from it. */
export function claimsOf({ claims, names }: Neighbourhood, side: 'in' | 'out'): readonly ClaimedEdge[] {
  const own = new Set(names.map(nodeId));
  return claims.filter(({ from, to }) => own.has(side === 'in' ? to : from));
}
