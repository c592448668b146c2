import * as v from 'valibot';
import type { RelationPage } from '../../../contract/relations.ts';
import { searchWords } from '../../graph/name-parts.ts';
import { type BoundList, readCursor, writeCursor } from '../../paging/cursor.ts';
import { type GraphPorts, type GraphView, graphView } from '../../traversal/graph-view.ts';
import { type DescribePorts, describe } from './describe-relations.ts';
import { nearestRelations } from './nearest-relations.ts';
import { exactnessFor, firstOf, presentNames } from './rank-relations.ts';
import { isOfConnector, type RelationSearch, type Search } from './search.ts';
import { type Chunk, ChunkPlace, chunkOf, type SearchPorts } from './search-chunk.ts';

export type FindPorts = GraphPorts & SearchPorts & DescribePorts;

const Place = v.object({ chunk: ChunkPlace, skip: v.pipe(v.number(), v.integer(), v.minValue(0)) });

const smallChunk = 100;

/**
 * A page of the relations that a search finds (C-RELATION). Candidates are ranked by chunks of a hundred, the widest
 * relations of all with the first: the reads of a page do not grow with the graph. A search that finds nothing answers
 * the nearest names.
 */
export async function findRelations(ports: FindPorts, search: RelationSearch): Promise<RelationPage> {
  const { workspace, connectorId, query, limit } = search;
  const listing: BoundList = ['relations', workspace, connectorId, query];
  const place = readCursor(listing, Place, search.cursor);
  const view = graphView(ports, workspace, null);
  const chunk = await chunkOf(ports, candidatesOf(search), place?.chunk ?? null, Math.max(smallChunk, limit));
  view.nodes.add(chunk.nodes, []);
  const skip = place?.skip ?? 0;
  const end = skip + limit;
  // One more tells whether there is a next page.
  const names = new Set((await presentNames(view, chunk.urns)).values());
  const ranked = await firstOf(view, [...names], exactnessFor(query), end + 1);
  const described = await describe(ports, view, workspace, ranked.slice(skip, end));
  const next = nextPlace(chunk, { skip: end, ranked: ranked.length });
  const items = described.map(({ item }) => item);
  const page = { workspace_id: workspace, items, next_cursor: next && writeCursor(listing, next) };
  const isFruitless = items.length === 0 && next === null && place === null && searchWords(query).length > 0;
  return isFruitless ? { ...page, candidates: await nearestNames(ports, view, search) } : page;
}

const nearestNames = (ports: FindPorts, view: GraphView, { workspace, connectorId, query }: RelationSearch) =>
  nearestRelations(ports, view, { workspace, connectorId, relationRef: query.trim().split(/\s+/).join('.') });

const candidatesOf = ({ workspace, connectorId, query }: RelationSearch): Search => ({
  workspace,
  words: searchWords(query),
  isWanted: isOfConnector(connectorId),
});

const nextPlace = ({ place, next }: Chunk, { skip, ranked }: { readonly skip: number; readonly ranked: number }) => {
  if (skip < ranked) return { chunk: place, skip };
  return next && { chunk: next, skip: 0 };
};
