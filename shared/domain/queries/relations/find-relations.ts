import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { RelationItem, RelationPage } from '../../../contract/relations.ts';
import { nodeId } from '../../graph/ids.ts';
import { searchWords } from '../../graph/name-parts.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import type { DetailStore } from '../../graph/ports.ts';
import { lastPartOf } from '../../identity/relation-ref.ts';
import { type BoundList, readCursor, writeCursor } from '../../paging/cursor.ts';
import { type GraphPorts, type GraphView, graphView } from '../../traversal/graph-view.ts';
import { loadNameChains } from '../../traversal/name-chains.ts';
import { currentName } from '../../traversal/names.ts';
import { columnsNamed } from './columns-named.ts';
import { type Neighbourhood, neighbourhoodsOf } from './neighbourhood.ts';
import { type Chunk, ChunkPlace, chunkOf, type Search, type SearchPorts } from './search-chunk.ts';

export type FindPorts = GraphPorts & SearchPorts & { readonly details: Pick<DetailStore, 'get'> };

type RelationSearch = {
  readonly workspace: WorkspaceId;
  readonly connectorId: ConnectorId | null;
  readonly query: string;
  readonly limit: number;
  readonly cursor: string | null;
};

const Place = v.object({ chunk: ChunkPlace, skip: v.pipe(v.number(), v.integer(), v.minValue(0)) });

const smallChunk = 100;
/** Of all wide relations of a page together. */
const furtherPagesRead = 128;
const claimsReadForColumns = 400;

/**
 * A page of the relations that a search finds (C-RELATION). Candidates are ranked by chunks of a hundred, the widest
 * relations of all with the first: the reads of a page do not grow with the graph.
 */
export async function findRelations(ports: FindPorts, search: RelationSearch): Promise<RelationPage> {
  const { workspace, connectorId, query, limit } = search;
  const listing: BoundList = ['relations', workspace, connectorId, query];
  const place = readCursor(listing, Place, search.cursor);
  const view = graphView(ports, workspace, null);
  const chunk = await chunkOf(ports, candidatesOf(search), place?.chunk ?? null, Math.max(smallChunk, limit));
  const ranked = await rank(view, chunk, query);
  const skip = place?.skip ?? 0;
  const items = await describe(ports, view, workspace, ranked.slice(skip, skip + limit));
  const next = nextPlace(chunk, { skip: skip + limit, ranked: ranked.length });
  return { workspace_id: workspace, items, next_cursor: next && writeCursor(listing, next) };
}

const candidatesOf = ({ workspace, connectorId, query }: RelationSearch): Search => ({
  workspace,
  words: searchWords(query),
  isWanted: (urn) => {
    const node = nodeOf(urn);
    return connectorId === null || ('connectorId' in node && node.connectorId === connectorId);
  },
});

const nextPlace = ({ place, next }: Chunk, { skip, ranked }: { readonly skip: number; readonly ranked: number }) => {
  if (skip < ranked) return { chunk: place, skip };
  return next && { chunk: next, skip: 0 };
};

type Ranked = { readonly urn: Urn; readonly neighbourhood: Neighbourhood };

/** The candidates that are in the graph under their present names: exact names first, then the most connected. */
async function rank(view: GraphView, { urns }: Chunk, query: string): Promise<Ranked[]> {
  await view.nodes.load(urns.map(nodeId));
  await loadNameChains(view, urns);
  const names = [...new Set(urns.map((urn) => currentName(urn, null, view.nodes.factsOf)))];
  const found = await neighbourhoodsOf(view, names, 0);
  const exact = query.trim().toLowerCase();
  const ranks = [...found].map(([urn, neighbourhood]) => {
    const ref = relationRefOf(nodeOf(urn));
    return { urn, neighbourhood, ref, exactness: exactnessOf(ref, exact), degree: degreeOf(neighbourhood) };
  });
  return ranks
    .filter(({ degree, neighbourhood }) => degree > 0 || neighbourhood.isDescribed)
    .sort((a, b) => a.exactness - b.exactness || b.degree - a.degree || (a.ref < b.ref ? -1 : 1));
}

const degreeOf = ({ counts }: Neighbourhood): number => counts.in + counts.out;

function exactnessOf(ref: string, query: string): number {
  if (query !== '' && ref.toLowerCase() === query) return 0;
  return query !== '' && lastPartOf(ref).toLowerCase() === query ? 1 : 2;
}

async function describe(
  ports: FindPorts,
  view: GraphView,
  workspace: WorkspaceId,
  ranked: readonly Ranked[],
): Promise<RelationItem[]> {
  const wide = ranked.filter(({ neighbourhood }) => neighbourhood.hasUnreadPages).map(({ urn }) => urn);
  const read = await neighbourhoodsOf(view, wide, furtherPagesRead);
  const each = Math.ceil(claimsReadForColumns / Math.max(1, ranked.length));
  const claims = ranked.flatMap(({ neighbourhood }) => neighbourhood.claims.slice(0, each));
  const [details] = await Promise.all([
    ports.details.get(workspace, claims),
    view.columns.load(ranked.map(({ urn }) => urn)),
  ]);
  return ranked.map(({ urn, neighbourhood }) => {
    const node = nodeOf(urn);
    const { counts, last } = read.get(urn) ?? neighbourhood;
    return {
      relation_ref: relationRefOf(node),
      connector_id: 'connectorId' in node ? node.connectorId : null,
      kind: node.kind,
      columns_known: new Set([
        ...columnsNamed(neighbourhood, details).keys(),
        ...(view.columns.of(urn)?.columns.keys() ?? []),
      ]).size,
      last_observed_at: last,
      upstream_count: counts.in,
      downstream_count: counts.out,
    };
  });
}
