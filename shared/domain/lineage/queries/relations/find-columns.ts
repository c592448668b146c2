import * as v from 'valibot';
import type { RelationItem, RelationPage } from '../../../../contract/relations.ts';
import { sortedBy } from '../../../base/collections.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import { emptyNameList } from '../../graph/name-list.ts';
import { indexedColumn, searchWords } from '../../graph/name-parts.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import { alike, nearest } from '../../names/nearest.ts';
import { type BareView, type GraphQuery, type GraphView, graphView } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { columnsNamed, readDetails } from './columns-named.ts';
import { claimsOf, describe, type ListContext } from './describe-relations.ts';
import { firstOf, type RankedRelation } from './rank-relations.ts';
import { columnFit, fittingColumns } from './resemblance.ts';
import { isOfConnector, matches, type RelationSearch } from './search.ts';

const Place = v.object({
  /** The posting after which the candidates begin. */
  after: v.nullable(v.string()),
  skip: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The first of the listed columns whose postings those are; null: of those that begin with the word, which come first. */
  resembling: v.optional(v.nullable(v.string()), null),
});

const smallChunk = 100;
const postingsPerRead = 60;
const readsPerChunk = 4;
const resemblingPerPage = 4;

type Query = GraphQuery<'columns' | 'nameLists', ListContext>;
type View = GraphView<'columns' | 'nameLists', ListContext>;
type Position = Pick<v.InferOutput<typeof Place>, 'after' | 'skip'>;
type Part = { readonly items: readonly RelationItem[]; readonly next: Position | null };

const start: Position = { after: null, skip: 0 };
const nothing: Part = { items: [], next: null };

/** Relations with a column of the last word, whose names match the others (C-RELATION-4, C-RELATION-7); else the nearest columns. */
export async function findColumns(query: Query, search: RelationSearch): Promise<RelationPage> {
  const { workspace, connectorId, limit } = search;
  const listing: BoundList = ['columns of relations', workspace, connectorId, search.query];
  const columnQuery = parseQuery(search);
  const { column } = columnQuery;
  const view: View = graphView(query, null);
  const place = readCursor(listing, Place, search.cursor) ?? { ...start, resembling: null };
  const first = place.resembling === null ? await partOf(view, search, beginning(column), place, limit) : nothing;
  const list = first.next === null ? await query.reader.nameLists.read(workspace) : emptyNameList;
  const listed = fittingColumns(list, column).filter((one) => one.place >= (place.resembling ?? ''));
  const room = limit - first.items.length;
  const some = listed.slice(0, room > 0 ? resemblingPerPage : 0);
  const prefixes = some.map(({ name }) => name);
  const position = place.resembling === null ? start : place;
  const second = some.length > 0 ? await partOf(view, search, resembling(column, prefixes), position, room) : nothing;
  const left = listed[second.next === null ? some.length : 0];
  const resemblingNext = left ? { ...(second.next ?? start), resembling: left.place } : null;
  const next = first.next ? { ...first.next, resembling: null } : resemblingNext;
  const found = {
    workspace_id: workspace,
    items: columnsTogether([...first.items, ...second.items]),
    next_cursor: next && writeCursor(listing, next),
    ...(list.isCut && { truncated: true }),
  };
  if (found.items.length > 0 || next !== null || search.cursor !== null) return found;
  return { ...found, candidates: await nearestColumns(view, nearestOf(search, columnQuery)) };
}

/** Which columns are found, among those with some beginnings. */
type Wanted = {
  readonly prefixes: readonly string[];
  /** The lowest first; null of a column that is not wanted. */
  readonly rankOf: (column: string) => number | null;
};

const beginning = (column: string): Wanted => ({
  prefixes: [column],
  rankOf: (name) => (name === column ? 0 : name.startsWith(column) ? 1 : null),
});

const resembling = (column: string, prefixes: readonly string[]): Wanted => ({
  prefixes,
  rankOf: (name) => columnFit(column, name),
});

/** Makes one item of two: a relation may have a column that begins with the word, and another that resembles it. */
function columnsTogether(items: readonly RelationItem[]): RelationItem[] {
  const same = Map.groupBy(items, ({ connector_id, relation_ref }) => JSON.stringify([connector_id, relation_ref]));
  return [...same.values()].flatMap(([item, ...more]) =>
    item ? [{ ...item, columns: [item, ...more].flatMap(({ columns = [] }) => columns) }] : [],
  );
}

/** The relations that have such a column now, a page in their order. */
async function partOf(
  view: View,
  search: RelationSearch,
  wanted: Wanted,
  { after, skip }: Position,
  limit: number,
): Promise<Part> {
  const chunk = await candidates(view, search, wanted, { after, size: Math.max(smallChunk, search.limit) });
  const columnsByNode = await columnsByPresentNames(view, chunk.columnsOf);
  const rankOf = (columns: Iterable<string> = []) =>
    Math.min(...[...columns].map((name) => wanted.rankOf(name) ?? Number.POSITIVE_INFINITY));
  const end = skip + limit;
  const ranked = await firstOf(view, [...columnsByNode.keys()], (urn) => rankOf(columnsByNode.get(urn)), end + 1);
  const page = ranked.slice(skip, end);
  const shown = await shownColumns(view, page, columnsByNode);
  // A posting that outlived the column of that very name had brought its relation to the front.
  const inOrder = sortedBy(
    page,
    ({ urn }) => rankOf(shown.get(urn)?.map(indexedColumn)),
    ({ neighbourhood: { counts } }) => -counts.in - counts.out,
    ({ urn }) => refOf(urn),
  );
  const described = await describe(
    view,
    inOrder.filter(({ urn }) => shown.has(urn)),
  );
  const items = described.map(({ urn, item }): RelationItem => ({ ...item, columns: [...(shown.get(urn) ?? [])] }));
  if (end < ranked.length) return { items, next: { after, skip: end } };
  return { items, next: chunk.next === null ? null : { after: chunk.next, skip: 0 } };
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
  search: RelationSearch,
  { prefixes, rankOf }: Wanted,
  from: { readonly after: string | null; readonly size: number },
): Promise<Candidates> {
  const { isWanted } = nearestOf(search, parseQuery(search));
  const columnsOf = new Map<Urn, Set<string>>();
  let after = from.after;
  for (let read = 0; read < readsPerChunk; read++) {
    const range = { after, limit: postingsPerRead };
    const { postings, next } = await reader.columns.beginningWith(context.graph, prefixes, range);
    for (const { columns: names, urns, place } of postings) {
      if (columnsOf.size >= from.size) return { columnsOf, next: after };
      after = place;
      // The number of a posting may look like a part of the search text.
      const resolved = names.filter((name) => rankOf(name) !== null);
      if (resolved.length === 0) continue;
      for (const urn of urns)
        if (isWanted(urn)) columnsOf.set(urn, new Set([...(columnsOf.get(urn) ?? []), ...resolved]));
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
  view: GraphView<'columns', ListContext>,
  { column, isWanted }: ReturnType<typeof nearestOf>,
): Promise<string[]> {
  const pages = await Promise.all(
    probesOf(column).map((prefix) =>
      view.reader.columns.beginningWith(view.context.graph, [prefix], { after: null, limit: postingsPerProbe }),
    ),
  );
  const relationsOf = new Map<string, Set<Urn>>();
  for (const { columns, urns } of pages.flatMap(({ postings }) => postings))
    for (const name of columns)
      relationsOf.set(name, new Set([...(relationsOf.get(name) ?? []), ...urns.filter(isWanted)]));
  const columnsOf = new Map<Urn, Set<string>>();
  for (const name of alike(column, namesWith(relationsOf), columnsLookedInto))
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
  view: GraphView<never, ListContext>,
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
