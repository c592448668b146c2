import * as v from 'valibot';
import type { RelationItem, RelationPage } from '../../../../contract/relations.ts';
import { findOrAdd } from '../../../base/collections.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import {
  indexedBeginning,
  leadingBeginning,
  type NameEntries,
  type NameIndex,
  searchWords,
} from '../../graph/name-parts.ts';
import { type GraphId, type NodeId, shardCount, type Urn } from '../../graph/node.ts';
import type { GraphNode, PageReader } from '../../graph/page-reader.ts';
import { type GraphQuery, type GraphView, graphView } from '../../traversal/graph-view.ts';
import { presentNames } from '../../traversal/names.ts';
import { describe, type ListContext } from './describe-relations.ts';
import { nearestRelations } from './nearest-relations.ts';
import { exactnessFor, firstOf } from './rank-relations.ts';
import { resemblingRelations } from './resembling-relations.ts';
import { firstEntryOf, matches, type RelationSearch, type Search, searchOf } from './search.ts';

type FindQuery = GraphQuery<'names' | 'nameLists', ListContext>;

/** The index of names, which a search reads at most once. */
type SearchedGraph = {
  readonly graph: GraphId;
  readonly names: NameIndex;
  readonly pages: Pick<PageReader, 'scan'>;
};

/** After an entry of a word, or after a node, if there is no word or it may be a leading part (`indexedTails`). */
const ChunkPlace = v.object({
  word: v.nullable(v.string()),
  shard: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount))),
  after: v.nullable(v.string()),
});
type ChunkPlace = v.InferOutput<typeof ChunkPlace>;

type Found = {
  readonly urns: readonly Urn[];
  readonly nodes: readonly GraphNode[];
  readonly next: ChunkPlace | null;
};
type Chunk = Found & { readonly place: ChunkPlace };

/** Entries that other words have to match too; of those of the only word nearly all are candidates. */
const entriesPerRead = 250;
const readsPerChunk = 4;
const wordsProbed = 4;
const wideNodesRead = 1_000;
const widePromoted = 100;
const shardsAtOnce = 16;
const scansPerChunk = 8;
const nodesPerScan = 200;

/** The next candidates of a search in the order of the index, at most `size` and the most connected ones before them. */
async function chunkOf(
  { reader: { names, pages }, context: { graph } }: FindQuery,
  search: Search,
  place: ChunkPlace | null,
  size: number,
): Promise<Chunk> {
  const searched = { graph, pages, names: readOnce(names) };
  const read = async () => {
    const from = place ?? startOf(await rarestWord(searched, search));
    return { from, ...(await candidates(searched, search, { ...from, size })) };
  };
  const [wide, { from, urns, nodes, next }] = await Promise.all([names.wideNodes(graph, wideNodesRead), read()]);
  const promoted = new Set(wide.filter((urn) => matches(search, urn)).slice(0, widePromoted));
  const others = urns.filter((urn) => !promoted.has(urn));
  const isFirst = from.after === null && (from.word === null ? from.shard === 0 : from.shard === null);
  return { urns: isFirst ? [...promoted, ...others] : others, nodes, place: from, next };
}

/** What tells the rarest word is where its candidates are. */
function readOnce(names: NameIndex): NameIndex {
  const entries = new Map<string, Promise<NameEntries>>();
  const leads = new Map<string, Promise<boolean>>();
  return {
    ...names,
    beginningWith: (graph, prefix, page) =>
      findOrAdd(entries, JSON.stringify([prefix, page]), () => names.beginningWith(graph, prefix, page)),
    leads: (graph, prefix) => findOrAdd(leads, prefix, () => names.leads(graph, prefix)),
  };
}

/** Fewer entries than a chunk are completed from the nodes themselves. */
async function candidates(searched: SearchedGraph, search: Search, from: ChunkPlace & Sized): Promise<Found> {
  const { word, shard, after, size } = from;
  if (word === null || shard !== null) return scanned(searched, search, from);
  const first = await entered(searched, search, { word, after, size });
  const left = size - first.urns.length;
  if (left === 0 || first.next === null || first.next.shard === null) return first;
  const more = await scanned(searched, search, { ...first.next, size: left });
  return { ...more, urns: [...first.urns, ...more.urns] };
}

const startOf = (word: string | null): ChunkPlace => ({ word, shard: word === null ? 0 : null, after: null });

/** The word with the fewest entries; of several with many, the one whose first entries match the others best. */
async function rarestWord({ graph, names }: SearchedGraph, search: Search): Promise<string | null> {
  const { words } = search;
  if (words.length < 2) return words[0] ?? null;
  const probed = words.toSorted((a, b) => b.length - a.length).slice(0, wordsProbed);
  const probes = await Promise.all(
    probed.map(async (word) => {
      const [found, isLeading] = await Promise.all([
        names.beginningWith(graph, indexedBeginning(word), { after: null, limit: entriesPerRead }),
        mayLead(names, graph, word),
      ]);
      const matching = found.entries.filter(({ urn }) => matches(search, urn)).length;
      const isCounted = found.next === null && !isLeading;
      return { word, count: isCounted ? found.entries.length : Number.POSITIVE_INFINITY, matching };
    }),
  );
  return probes.reduce((a, b) => (b.count < a.count || (b.count === a.count && b.matching > a.matching) ? b : a)).word;
}

/** Whether names that a word matches may have it only in their leading part, if no entry leads to them. */
async function mayLead(names: NameIndex, graph: GraphId, word: string): Promise<boolean> {
  const beginning = leadingBeginning(word);
  return beginning !== null && (await names.leads(graph, beginning));
}

type Sized = { readonly size: number };

/** Candidates from the entries of one word; after them, those that have it in their leading part. */
async function entered(
  { graph, names }: SearchedGraph,
  search: Search,
  { word, size, ...start }: Sized & { readonly word: string; readonly after: string | null },
): Promise<Found> {
  const urns: Urn[] = [];
  const beginning = indexedBeginning(word);
  const found = (next: ChunkPlace | null): Found => ({ urns, nodes: [], next });
  let after = start.after;
  for (let read = 0; read < readsPerChunk; read++) {
    const limit = search.words.length === 1 ? Math.min(entriesPerRead, size - urns.length + 1) : entriesPerRead;
    // Most searches end with their first read, so what they need then is read at once.
    const [{ entries, next }, isLeading] = await Promise.all([
      names.beginningWith(graph, beginning, { after, limit }),
      mayLead(names, graph, word),
    ]);
    for (const { urn, tail, place } of entries) {
      if (urns.length === size) return found({ word, shard: null, after });
      after = place;
      if (firstEntryOf(urn, beginning) === tail && matches(search, urn)) urns.push(urn);
    }
    if (next === null) return found(isLeading ? { word, shard: 0, after: null } : null);
    after = next;
  }
  return found({ word, shard: null, after });
}

/** Candidates from the nodes themselves, in the order of the scan; those that a word's entries led to came before. */
async function scanned(
  searched: SearchedGraph,
  search: Search,
  { word, after, size, ...start }: Sized & ChunkPlace,
): Promise<Found> {
  const cameBefore = (urn: Urn) => word !== null && firstEntryOf(urn, word) !== undefined;
  const urns: Urn[] = [];
  const read: GraphNode[] = [];
  // Without a word every node is a candidate.
  const limit = word === null ? Math.min(size, nodesPerScan) : nodesPerScan;
  let [shard, node, isLarge] = [start.shard ?? 0, after, true];
  for (let round = 0; shard < shardCount; round++) {
    if (urns.length === size || round === scansPerChunk)
      return { urns, nodes: read, next: { word, shard, after: node } };
    // A large graph fills the chunk from one shard, a small one is spread thinly over all.
    const width = isLarge ? 1 : Math.min(shardsAtOnce, shardCount - shard);
    for (const nodes of await readShards(searched, { shard, node, limit }, width)) {
      let used = 0;
      read.push(...nodes);
      for (; used < nodes.length && urns.length < size; used++) {
        const { urn } = nodes[used] ?? {};
        if (urn && matches(search, urn) && !cameBefore(urn)) urns.push(urn);
      }
      isLarge = nodes.length === limit;
      const isWhole = used === nodes.length && !isLarge;
      node = isWhole ? null : (nodes[used - 1]?.node ?? node);
      if (!isWhole) break;
      shard++;
    }
  }
  return { urns, nodes: read, next: null };
}

const readShards = (
  { graph, pages }: SearchedGraph,
  from: { readonly shard: number; readonly node: string | null; readonly limit: number },
  width: number,
) =>
  Promise.all(
    Array.from({ length: width }, (_, i) => {
      const after = i === 0 ? (from.node as NodeId | null) : null;
      return pages.scan(graph, from.shard + i, after, from.limit);
    }),
  );

const RankedPlace = v.object({ chunk: ChunkPlace, skip: v.pipe(v.number(), v.integer(), v.minValue(0)) });
type RankedPlace = v.InferOutput<typeof RankedPlace>;
/** After a name of those that resemble the query, which come last. */
const Place = v.union([RankedPlace, v.object({ resembling: v.string() })]);

const smallChunk = 100;

type View = GraphView<'names' | 'nameLists', ListContext>;
type Part = { readonly items: readonly RelationItem[]; readonly next: RankedPlace | null };

/** Those that begin with the words, then those that resemble them. Reads do not grow with the graph (C-RELATION). */
export async function findRelations(query: FindQuery, search: RelationSearch): Promise<RelationPage> {
  const { workspace, connectorId, limit } = search;
  const listing: BoundList = ['relations', workspace, connectorId, search.query];
  const place = readCursor(listing, Place, search.cursor);
  const view: View = graphView(query, null);
  const isResembling = place !== null && 'resembling' in place;
  const first: Part = isResembling ? { items: [], next: null } : await rankedPart(view, search, place);
  const room = limit - first.items.length;
  const after = isResembling ? place.resembling : null;
  const second = first.next === null ? await resemblingRelations(view, search, { after, room }) : null;
  const next = typeof second?.next === 'string' ? { resembling: second.next } : first.next;
  const items = [...first.items, ...(second?.items ?? [])];
  const page = { workspace_id: workspace, items, next_cursor: next && writeCursor(listing, next) };
  const isFruitless = items.length === 0 && next === null && place === null && searchWords(search.query).length > 0;
  return {
    ...page,
    ...(second?.isCut && { truncated: true }),
    ...(isFruitless && { candidates: await nearestNames(view, search) }),
  };
}

/** Ranks chunks of a hundred, the widest relations with the first. */
async function rankedPart(view: View, search: RelationSearch, place: RankedPlace | null): Promise<Part> {
  const { limit } = search;
  const chunk = await chunkOf(view, searchOf(search), place?.chunk ?? null, Math.max(smallChunk, limit));
  view.nodes.add(chunk.nodes, []);
  const skip = place?.skip ?? 0;
  const end = skip + limit;
  // One more tells whether there is a next page.
  const names = new Set((await presentNames(view, chunk.urns)).values());
  const ranked = await firstOf(view, [...names], exactnessFor(search.query), end + 1);
  const described = await describe(view, ranked.slice(skip, end));
  const next = nextPlace(chunk, { skip: end, ranked: ranked.length });
  return { items: described.map(({ item }) => item), next };
}

const nearestNames = (view: GraphView<'names', ListContext>, { connectorId, query }: RelationSearch) =>
  nearestRelations(view, { connectorId, relationRef: query.trim().split(/\s+/).join('.') });

const nextPlace = (
  { place, next }: Chunk,
  { skip, ranked }: { readonly skip: number; readonly ranked: number },
): RankedPlace | null => {
  if (skip < ranked) return { chunk: place, skip };
  return next && { chunk: next, skip: 0 };
};
