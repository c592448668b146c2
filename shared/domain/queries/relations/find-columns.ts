import * as v from 'valibot';
import type { RelationItem, RelationPage } from '../../../contract/relations.ts';
import { indexedColumn, searchWords } from '../../graph/name-parts.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { type BoundList, readCursor, writeCursor } from '../../paging/cursor.ts';
import { sortedBy } from '../../sorted-by.ts';
import { type GraphPorts, graphView } from '../../traversal/graph-view.ts';
import { describe } from './describe-relations.ts';
import { type NearestColumnsPorts, nearestColumns } from './nearest-columns.ts';
import { firstOf } from './rank-relations.ts';
import { isOfConnector, matches, type RelationSearch } from './search.ts';
import { shownColumns, wantedByPresentNames } from './shown-columns.ts';

export type FindColumnsPorts = GraphPorts & NearestColumnsPorts;

const Place = v.object({
  /** The posting after which the candidates begin. */
  after: v.nullable(v.string()),
  skip: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const smallChunk = 100;
const postingsPerRead = 60;
const readsPerChunk = 4;

/**
 * A page of the relations that have a column whose name begins with the last word of the query, and whose names the
 * words before it match (C-RELATION-4). Candidates are ranked by chunks, as those of `findRelations` are. A search that finds
 * nothing answers the nearest names of columns.
 */
export async function findColumns(ports: FindColumnsPorts, search: RelationSearch): Promise<RelationPage> {
  const { workspace, connectorId, query, limit } = search;
  const listing: BoundList = ['columns of relations', workspace, connectorId, query];
  const { after, skip } = readCursor(listing, Place, search.cursor) ?? { after: null, skip: 0 };
  const asked = askedOf(search);
  const { columnsOf, next } = await candidates(ports, search, asked, { after, size: Math.max(smallChunk, limit) });
  const view = graphView(ports, workspace, null);
  const wanted = await wantedByPresentNames(view, columnsOf);
  const exactness = (urn: Urn) => (wanted.get(urn)?.has(asked.column) ? 0 : 2);
  const end = skip + limit;
  const ranked = await firstOf(view, [...wanted.keys()], exactness, end + 1);
  const page = ranked.slice(skip, end);
  const shown = await shownColumns(ports, view, { workspace, relations: page, wanted });
  // A posting that outlived the column of that very name had brought its relation to the front.
  const inOrder = sortedBy(
    page,
    ({ urn }) => (shown.get(urn)?.some((name) => indexedColumn(name) === asked.column) ? 0 : 1),
    ({ neighbourhood: { counts } }) => -counts.in - counts.out,
    ({ urn }) => relationRefOf(nodeOf(urn)),
  );
  const items = await describe(
    ports,
    view,
    workspace,
    inOrder.filter(({ urn }) => shown.has(urn)),
  );
  const place = end < ranked.length ? { after, skip: end } : next && { after: next, skip: 0 };
  const found = {
    workspace_id: workspace,
    items: items.map(({ urn, item }): RelationItem => ({ ...item, columns: [...(shown.get(urn) ?? [])] })),
    next_cursor: place && writeCursor(listing, place),
  };
  if (items.length > 0 || place !== null || search.cursor !== null) return found;
  return { ...found, candidates: await nearestColumns(ports, view, { workspace, ...nearestOf(search, asked) }) };
}

type Asked = { readonly column: string; readonly words: readonly string[] };

function askedOf({ query }: RelationSearch): Asked {
  const words = query.trim().split(/\s+/);
  return { column: indexedColumn(words.at(-1) ?? ''), words: searchWords(words.slice(0, -1).join(' ')) };
}

const nearestOf = ({ workspace, connectorId }: RelationSearch, { column, words }: Asked) => {
  const isOwned = isOfConnector(connectorId);
  return { column, isWanted: (urn: Urn) => matches({ workspace, words, isWanted: isOwned }, urn) };
};

type Candidates = { readonly columnsOf: ReadonlyMap<Urn, ReadonlySet<string>>; readonly next: string | null };

/** Whole postings, until there are as many relations as a chunk holds. */
async function candidates(
  { columns }: FindColumnsPorts,
  { workspace, connectorId }: RelationSearch,
  { column: prefix, words }: Asked,
  from: { readonly after: string | null; readonly size: number },
): Promise<Candidates> {
  const isWanted = isOfConnector(connectorId);
  const columnsOf = new Map<Urn, Set<string>>();
  let after = from.after;
  for (let read = 0; read < readsPerChunk; read++) {
    const { postings, next } = await columns.beginningWith(workspace, prefix, { after, limit: postingsPerRead });
    for (const { columns: names, urns, place } of postings) {
      if (columnsOf.size >= from.size) return { columnsOf, next: after };
      after = place;
      // The number of a posting may read like the rest of what is searched for.
      const meant = names.filter((name) => name.startsWith(prefix));
      if (meant.length === 0) continue;
      for (const urn of urns)
        if (matches({ workspace, words, isWanted }, urn))
          columnsOf.set(urn, new Set([...(columnsOf.get(urn) ?? []), ...meant]));
    }
    if (next === null) return { columnsOf, next: null };
    after = next;
  }
  return { columnsOf, next: after };
}
