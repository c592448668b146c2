import { marshall } from '@aws-sdk/util-dynamodb';
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../../domain/base/caching.ts';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { contentDigest, type GraphId, nodeId, type Urn } from '../../../domain/lineage/graph/node.ts';
import {
  columnOfPosting,
  columnPostingKey,
  latestPosting,
  recentColumnsKey,
  recentColumnsPartition,
} from '../keys/graph-keys.ts';
import { type Key, keyOf } from '../keys/registry-keys.ts';
import { batchWrite, insertEach, insertMissing } from '../requests/batched-changes.ts';
import { keyAttributes } from '../requests/items.ts';
import { between, inPartition, queryOnce } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, updateItem } from '../requests/update-item.ts';

/** The names that fit into a kilobyte, so that adding to a posting costs one unit. */
const relationsPerPosting = 16;
const columnsInFlight = 24;
/** Of this many relations together each column is posted for several. */
const postedAtOnce = 64;
/** An item holds 400 KB. */
const columnsPerItem = 200;
const recentPerFold = 1_000;

/** Columns of relations, in the form of `indexedColumn`. */
export type ColumnsOf = ReadonlyMap<Urn, ReadonlySet<string>>;

export type PostingWriter = { readonly table: Table; readonly last: LRUCache<string, number> };
export const postingWriter = (table: Table): PostingWriter => ({ table, last: lruCache(100_000) });

/** An item a relation; about every 128th posts all such items together, and many relations are posted at once. */
export async function indexColumns(writer: PostingWriter, graph: GraphId, columnsOf: ColumnsOf): Promise<void> {
  if (columnsOf.size >= postedAtOnce) return postColumns(writer, graph, columnsOf);
  const rows = [...columnsOf].flatMap(([urn, columns]) => recentRows(graph, urn, columns));
  await batchWrite(
    writer.table,
    rows.map((row) => ({ PutRequest: { Item: marshall(row) } })),
  );
  if (rows.some(isFoldDue)) await foldRecent(writer, graph);
}

type RecentRow = Key & { readonly u: Urn; readonly c: ReadonlySet<string> };

/** Named by their content and never changed: deleting a posted one deletes nothing else. */
function recentRows(graph: GraphId, urn: Urn, columns: ReadonlySet<string>): RecentRow[] {
  return chunksOf([...columns].sort(), columnsPerItem).map((some) => {
    const digest = contentDigest([urn, ...some].join('\n'));
    return { ...recentColumnsKey(graph, nodeId(urn), digest), u: urn, c: new Set(some) };
  });
}

/** One in 128, chosen by digest, so that no process has to count. */
const isFoldDue = ({ sk }: Key): boolean => /[a-h]a$/.test(sk);

/** Posts what recent items tell and deletes them. Two that do so together, or one that does it again, post some twice. */
async function foldRecent(writer: PostingWriter, graph: GraphId): Promise<void> {
  const recent = { ...inPartition(recentColumnsPartition(graph)), ConsistentRead: true, Limit: recentPerFold };
  const { Items: items = [] } = await queryOnce(writer.table, recent);
  const columnsOf = new Map<Urn, Set<string>>();
  for (const item of items) {
    const urn = (item['u']?.S ?? '') as Urn;
    columnsOf.set(urn, new Set([...(columnsOf.get(urn) ?? []), ...(item['c']?.SS ?? [])]));
  }
  await postColumns(writer, graph, columnsOf);
  await batchWrite(
    writer.table,
    items.map((item) => ({ DeleteRequest: { Key: keyAttributes(keyOf(item)) } })),
  );
}

async function postColumns(writer: PostingWriter, graph: GraphId, columnsOf: ColumnsOf): Promise<void> {
  const pairs = [...columnsOf].flatMap(([urn, columns]) => [...columns].map((column) => ({ column, urn })));
  const postings = [...Map.groupBy(pairs, ({ column }) => column)].map(([column, some]) => {
    const urns = some.map(({ urn }) => urn);
    return { place: { graph, column }, chunks: fillingChunks(urns) };
  });
  const unmet = postings.filter(({ place }) => !writer.last.has(nameOf(place)));
  const firsts = unmet.map(({ place, chunks: [urns = []] }): Posting => ({ place, number: 0, urns }));
  const refused = new Set(await insertMissing(writer.table, firsts, ofPosting));
  const inserted = new Set(firsts.filter((one) => !refused.has(one)));
  for (const { place, number, urns } of inserted) noteLast(writer, place, number, urns);
  const started = new Set([...inserted].map(({ place }) => place));
  await inParallel(columnsInFlight, postings, async ({ place, chunks: [urns = []] }) => {
    if (!started.has(place)) await post(writer, place, urns);
  });
  await postBehind(
    writer,
    postings.map(({ place, chunks }) => ({ place, chunks: chunks.slice(1) })),
  );
}

/** The first chunk is the one that may be short: it goes where there is room, and the others each fill a posting. */
type Postings = { readonly place: Place; readonly chunks: readonly (readonly Urn[])[] };

const fillingChunks = (urns: readonly Urn[]): (readonly Urn[])[] => {
  const short = urns.length % relationsPerPosting;
  return [...(short > 0 ? [urns.slice(0, short)] : []), ...chunksOf(urns.slice(short), relationsPerPosting)];
};

/** Chunks that each fill a posting, behind the last that is known: nobody else fills these, or its insertion is refused. */
async function postBehind(writer: PostingWriter, postings: readonly Postings[]): Promise<void> {
  const full = postings.flatMap(({ place, chunks }): Posting[] => {
    const next = (writer.last.get(nameOf(place)) ?? 0) + 1;
    if (chunks.length > 0) writer.last.set(nameOf(place), next + chunks.length);
    return chunks.map((urns, i) => ({ place, number: next + i, urns }));
  });
  const refused = await insertEach(writer.table, full, ofPosting);
  for (const { place, urns } of refused) await post(writer, place, urns);
}

type Posting = { readonly place: Place; readonly number: number; readonly urns: readonly Urn[] };

const ofPosting = {
  keyOf: ({ place: { graph, column }, number }: Posting) => columnPostingKey(graph, column, number),
  attributesOf: ({ urns }: Posting) => ({ u: { SS: [...urns] } }),
};

type Place = { readonly graph: GraphId; readonly column: string };

const nameOf = ({ graph, column }: Place): string => `${graph} ${column}`;

/** Remembers where to post next, never before what another has posted: one that took as many as fit is full. */
const noteLast = ({ last }: PostingWriter, place: Place, number: number, urns: readonly Urn[]): void => {
  const next = urns.length < relationsPerPosting ? number : number + 1;
  last.set(nameOf(place), Math.max(last.get(nameOf(place)) ?? 0, next));
};

/** A posting takes relations until it is full; writers that find it full go on to the next, so that none is written twice. */
async function post(writer: PostingWriter, place: Place, urns: readonly Urn[]): Promise<void> {
  const { table, last } = writer;
  let number = last.get(nameOf(place)) ?? 0;
  for (;;) {
    const where = [{ name: 'u', is: 'smaller', than: relationsPerPosting }] as const;
    const change = changing({ add: { u: { SS: [...urns] } }, where });
    const { refused } = await updateItem(table, columnPostingKey(place.graph, place.column, number), change);
    if (refused === null) return noteLast(writer, place, number, urns);
    number = Math.max(number + 1, await lastPosting(table, place));
  }
}

async function lastPosting(table: Table, { graph, column }: Place): Promise<number> {
  const { pk, from, to } = latestPosting(graph, column);
  const answer = await queryOnce(table, {
    ...between(pk, from, to),
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: 1,
  });
  const sk = answer.Items?.[0]?.['sk']?.S ?? '';
  // A name that goes on with digits lies between.
  return columnOfPosting(sk) === column ? Number(sk.slice(column.length + 1)) : 0;
}
