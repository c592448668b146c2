import type { ColumnIndex, ColumnPosting, NameIndex } from '../../../domain/lineage/graph/name-parts.ts';
import type { GraphId, Urn } from '../../../domain/lineage/graph/node.ts';
import {
  columnOfPosting,
  columnPartitions,
  columnPostingPartition,
  leadingTailKey,
  nameEntryPartition,
  recentColumnsPartition,
  tailOfEntry,
  wideNodePartition,
} from '../keys/graph-keys.ts';
import { keyOf } from '../keys/registry-keys.ts';
import { type Item, projected } from '../requests/items.ts';
import { inPartition, queryPages, queryPrefix } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';

export const nameIndex = (table: Table): NameIndex => ({
  beginningWith: async (graph, prefix, page) => {
    const { items, next } = await queryPrefix(table, { pk: nameEntryPartition(graph, prefix), prefix, ...page });
    const entries = items.map((item) => {
      const place = keyOf(item).sk;
      return { tail: tailOfEntry(place), urn: (item['u']?.S ?? '') as Urn, place };
    });
    return { entries, next };
  },
  leads: async (graph, prefix) => {
    const { pk } = leadingTailKey(graph, prefix);
    const { items } = await queryPrefix(table, { pk, prefix, after: null, limit: 1 });
    return items.length > 0;
  },
  wideNodes: async (graph, limit) => {
    const { items } = await queryPrefix(table, { pk: wideNodePartition(graph), prefix: '', after: null, limit });
    return [...new Set(items.map((item) => (item['u']?.S ?? '') as Urn))];
  },
});

/** An answer of the store holds about two thousand. */
const recentPerRead = 1_000;

/** What places begin with: those of recent columns come before those of postings. */
const [inRecent, inPostings] = ['N', 'P'];

/** Relations by the names of their columns, as `relationDirectory` wrote them. */
export const columnIndex = (table: Table): ColumnIndex => ({
  beginningWith: async (graph, prefixes, { after, limit }) => {
    const isRecent = after === null || after.startsWith(inRecent);
    const sk = after?.slice(1) || null;
    if (!isRecent) return posted(table, graph, prefixes, { after: sk, limit });
    const recent = await recentOf(table, graph, prefixes, sk);
    if (recent.next !== null) return recent;
    // After the recent ones: what has meanwhile been posted of them is found twice rather than not at all.
    const { postings, next } = await posted(table, graph, prefixes, { after: null, limit });
    return { postings: [...recent.postings, ...postings], next };
  },
});

type Postings = { readonly postings: readonly ColumnPosting[]; readonly next: string | null };

async function recentOf(
  table: Table,
  graph: GraphId,
  prefixes: readonly string[],
  after: string | null,
): Promise<Postings> {
  const page = { pk: recentColumnsPartition(graph), prefix: '', after, limit: recentPerRead };
  const { items, next } = await queryPrefix(table, page);
  const postings = items.map((item): ColumnPosting => {
    const columns = (item['c']?.SS ?? []).filter((column) => prefixes.some((prefix) => column.startsWith(prefix)));
    return { columns, urns: [(item['u']?.S ?? '') as Urn], place: inRecent + keyOf(item).sk };
  });
  return { postings: postings.filter(({ columns }) => columns.length > 0), next: next && inRecent + next };
}

async function posted(
  table: Table,
  graph: GraphId,
  prefixes: readonly string[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Postings> {
  const postings: ColumnPosting[] = [];
  for (const prefix of [...prefixes].sort()) {
    const isPast = after !== null && after > prefix && !after.startsWith(prefix);
    if (isPast) continue;
    const range = { after: after?.startsWith(prefix) ? after : null, limit: limit - postings.length };
    const { items, next } = await queryPrefix(table, { pk: columnPostingPartition(graph, prefix), prefix, ...range });
    postings.push(...items.map(postingOf));
    if (next !== null || postings.length >= limit) return { postings, next: postings.at(-1)?.place ?? null };
  }
  return { postings, next: null };
}

/** The names of all indexed columns, a page of the store at a time. */
export const indexedColumns = (table: Table) =>
  async function* (graph: GraphId): AsyncGenerator<readonly string[]> {
    for (const pk of columnPartitions(graph))
      for await (const page of queryPages(table, { ...inPartition(pk), ...projected(['sk', 'c']) }))
        yield page.flatMap((item) => item['c']?.SS ?? columnOfPosting(item['sk']?.S ?? ''));
  };

const postingOf = (item: Item): ColumnPosting => {
  const { sk } = keyOf(item);
  return { columns: [columnOfPosting(sk)], urns: (item['u']?.SS ?? []) as Urn[], place: inPostings + sk };
};
