import * as v from 'valibot';
import type { RelationItem, RelationPage } from '../../../../contract/relations.ts';
import { sortedBy } from '../../../base/collections.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import { indexedColumn, searchWords } from '../../graph/name-parts.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import { nearest } from '../../names/nearest.ts';
import { type BareView, type GraphQuery, type GraphView, graphView } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { columnsNamed, readDetails } from './columns-named.ts';
import { claimsOf, describe, type ListContext } from './describe-relations.ts';
import { firstOf, type RankedRelation } from './rank-relations.ts';
import { isOfConnector, matches, type RelationSearch } from './search.ts';

const Place = v.object({
  /** The posting after which the candidates begin. */
  after: v.nullable(v.string()),
  skip: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const smallChunk = 100;
const postingsPerRead = 60;
const readsPerChunk = 4;

/** Relations with a column of the last word, whose names match the others (C-RELATION-4); else the nearest columns. */
export async function findColumns(
  query: GraphQuery<'details' | 'columns', ListContext>,
  search: RelationSearch,
): Promise<RelationPage> {
  const { workspace, connectorId, limit } = search;
  const listing: BoundList = ['columns of relations', workspace, connectorId, search.query];
  const { after, skip } = readCursor(listing, Place, search.cursor) ?? { after: null, skip: 0 };
  const columnQuery = parseQuery(search);
  const from = { after, size: Math.max(smallChunk, limit) };
  const { columnsOf, next } = await candidates(query, search, columnQuery, from);
  const view = graphView(query, null);
  const columnsByNode = await columnsByPresentNames(view, columnsOf);
  const exactness = (urn: Urn) => (columnsByNode.get(urn)?.has(columnQuery.column) ? 0 : 2);
  const end = skip + limit;
  const ranked = await firstOf(view, [...columnsByNode.keys()], exactness, end + 1);
  const page = ranked.slice(skip, end);
  const shown = await shownColumns(view, page, columnsByNode);
  // A posting that outlived the column of that very name had brought its relation to the front.
  const inOrder = sortedBy(
    page,
    ({ urn }) => (shown.get(urn)?.some((name) => indexedColumn(name) === columnQuery.column) ? 0 : 1),
    ({ neighbourhood: { counts } }) => -counts.in - counts.out,
    ({ urn }) => refOf(urn),
  );
  const items = await describe(
    view,
    inOrder.filter(({ urn }) => shown.has(urn)),
  );
  const place = end < ranked.length ? { after, skip: end } : next && { after: next, skip: 0 };
  const found = {
    workspace_id: workspace,
    items: items.map(({ urn, item }): RelationItem => ({ ...item, columns: [...(shown.get(urn) ?? [])] })),
    next_cursor: place && writeCursor(listing, place),
  };
  if (items.length > 0 || place !== null || search.cursor !== null) return found;
  return { ...found, candidates: await nearestColumns(view, nearestOf(search, columnQuery)) };
}

type ColumnQuery = { readonly column: string; readonly words: readonly string[] };

function parseQuery({ query }: RelationSearch): ColumnQuery {
  const words = query.trim().split(/\s+/);
  return { column: indexedColumn(words.at(-1) ?? ''), words: searchWords(words.slice(0, -1).join(' ')) };
}

const nearestOf = ({ connectorId }: RelationSearch, { column, words }: ColumnQuery) => {
  const isOwned = isOfConnector(connectorId);
  return { column, isWanted: (urn: Urn) => matches({ words, isWanted: isOwned }, urn) };
};

type Candidates = { readonly columnsOf: ReadonlyMap<Urn, ReadonlySet<string>>; readonly next: string | null };

/** Whole postings, until there are as many relations as a chunk holds. */
async function candidates(
  { reader, context }: GraphQuery<'columns', ListContext>,
  { connectorId }: RelationSearch,
  { column: prefix, words }: ColumnQuery,
  from: { readonly after: string | null; readonly size: number },
): Promise<Candidates> {
  const isRequired = isOfConnector(connectorId);
  const columnsOf = new Map<Urn, Set<string>>();
  let after = from.after;
  for (let read = 0; read < readsPerChunk; read++) {
    const range = { after, limit: postingsPerRead };
    const { postings, next } = await reader.columns.beginningWith(context.graph, prefix, range);
    for (const { columns: names, urns, place } of postings) {
      if (columnsOf.size >= from.size) return { columnsOf, next: after };
      after = place;
      // The number of a posting may look like a part of the search text.
      const resolved = names.filter((name) => name.startsWith(prefix));
      if (resolved.length === 0) continue;
      for (const urn of urns)
        if (matches({ words, isWanted: isRequired }, urn))
          columnsOf.set(urn, new Set([...(columnsOf.get(urn) ?? []), ...resolved]));
    }
    if (next === null) return { columnsOf, next: null };
    after = next;
  }
  return { columnsOf, next: after };
}

const postingsPerProbe = 100;
/** Postings may outlive what they tell: this many are looked into, each at this many of its relations. */
const [columnsLookedInto, relationsEach] = [20, 2];

async function nearestColumns(
  view: GraphView<'details' | 'columns', ListContext>,
  { column, isWanted }: ReturnType<typeof nearestOf>,
): Promise<string[]> {
  const pages = await Promise.all(
    probesOf(column).map((prefix) =>
      view.reader.columns.beginningWith(view.context.graph, prefix, { after: null, limit: postingsPerProbe }),
    ),
  );
  const relationsOf = new Map<string, Set<Urn>>();
  for (const { columns, urns } of pages.flatMap(({ postings }) => postings))
    for (const name of columns)
      relationsOf.set(name, new Set([...(relationsOf.get(name) ?? []), ...urns.filter(isWanted)]));
  const columnsOf = new Map<Urn, Set<string>>();
  for (const name of nearest(column, namesWith(relationsOf), columnsLookedInto))
    for (const urn of [...(relationsOf.get(name) ?? [])].slice(0, relationsEach))
      columnsOf.set(urn, new Set([...(columnsOf.get(urn) ?? []), name]));
  const columnsByNode = await columnsByPresentNames(view, columnsOf);
  const relations = await firstOf(view, [...columnsByNode.keys()], () => 0, columnsByNode.size);
  const shown = await shownColumns(view, relations, columnsByNode);
  return nearest(column, [...new Set([...shown.values()].flat())]);
}

/** What columns begin with that resemble one: its first word, its first letters, its first letter. */
function probesOf(column: string): string[] {
  const letters = [...indexedColumn(column)];
  const word = /^[\p{L}\p{N}]+/u.exec(column)?.[0] ?? column;
  return [...new Set([indexedColumn(word), letters.slice(0, 3).join(''), letters.slice(0, 1).join('')])];
}

const namesWith = (relationsOf: ReadonlyMap<string, ReadonlySet<Urn>>): string[] =>
  [...relationsOf].flatMap(([name, urns]) => (urns.size > 0 ? [name] : []));

/** Columns that relations are looked into for, by the present names of those under which they were found. */
async function columnsByPresentNames(
  view: BareView,
  columnsOf: ReadonlyMap<Urn, ReadonlySet<string>>,
): Promise<ReadonlyMap<Urn, ReadonlySet<string>>> {
  const columnsByNode = new Map<Urn, Set<string>>();
  const names = await presentNames(view, [...columnsOf.keys()]);
  for (const [urn, columns] of columnsOf) {
    const name = names.get(urn) ?? urn;
    columnsByNode.set(name, new Set([...(columnsByNode.get(name) ?? []), ...columns]));
  }
  return columnsByNode;
}

const claimsRead = 400;

/** The wanted columns of relations now, since postings may be stale. Without all evidence, unseen columns stay. */
async function shownColumns(
  view: GraphView<'details', ListContext>,
  relations: readonly RankedRelation[],
  wanted: ReadonlyMap<Urn, ReadonlySet<string>>,
): Promise<ReadonlyMap<Urn, readonly string[]>> {
  await view.columns.load(relations.map(({ urn }) => urn));
  const spelled = new Map(relations.map(({ urn }) => [urn, listedNames(view, urn)]));
  const open = () =>
    relations.filter(({ urn }) => [...(wanted.get(urn) ?? [])].some((column) => !spelled.get(urn)?.has(column)));
  const cut = new Set<Urn>();
  for (const side of ['in', 'out'] as const) {
    const columnQuery = open();
    const each = Math.ceil(claimsRead / Math.max(1, columnQuery.length));
    const claims = columnQuery.flatMap(({ urn, neighbourhood }) => {
      const all = claimsOf(neighbourhood, side);
      if (all.length > each || neighbourhood.hasUnreadPages) cut.add(urn);
      return all.slice(0, each);
    });
    const read = await readDetails(view, claims);
    for (const { urn, neighbourhood } of columnQuery)
      for (const { name } of columnsNamed(neighbourhood, read).values())
        spelled.get(urn)?.set(indexedColumn(name), name);
  }
  const shown = relations.map(({ urn }) => {
    const columns = [...(wanted.get(urn) ?? [])].sort();
    return [urn, columns.flatMap((one) => spelled.get(urn)?.get(one) ?? (cut.has(urn) ? one : []))] as const;
  });
  return new Map(shown.filter(([, columns]) => columns.length > 0));
}

const listedNames = (view: BareView, urn: Urn): Map<string, string> =>
  new Map([...(view.columns.of(urn)?.columns.values() ?? [])].map(({ name }) => [indexedColumn(name), name]));
