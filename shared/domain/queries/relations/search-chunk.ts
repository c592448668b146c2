import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type NodeId, shardCount } from '../../graph/ids.ts';
import { nameTails } from '../../graph/name-parts.ts';
import type { NameIndex } from '../../graph/name-ports.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import type { PageReader } from '../../graph/ports.ts';

export type SearchPorts = { readonly names: NameIndex; readonly pages: Pick<PageReader, 'scan'> };

/** What is searched for: without words, everything. */
export type Search = {
  readonly workspace: WorkspaceId;
  readonly words: readonly string[];
  readonly isWanted: (urn: Urn) => boolean;
};

/** Where a chunk of candidates begins: after an entry of one word, or without a word after a node of a shard. */
export const ChunkPlace = v.object({
  word: v.nullable(v.string()),
  shard: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount)),
  after: v.nullable(v.string()),
});
export type ChunkPlace = v.InferOutput<typeof ChunkPlace>;

export type Chunk = { readonly urns: readonly Urn[]; readonly place: ChunkPlace; readonly next: ChunkPlace | null };

const entriesPerRead = 250;
const readsPerChunk = 4;
const wordsProbed = 4;
const wideNodesRead = 1_000;
const widePromoted = 100;
const shardsAtOnce = 16;
const scansPerChunk = 8;

/** The next candidates of a search in the order of the index, at most `size` and the most connected ones before them. */
export async function chunkOf(
  ports: SearchPorts,
  search: Search,
  place: ChunkPlace | null,
  size: number,
): Promise<Chunk> {
  const wide = (await ports.names.wideNodes(search.workspace, wideNodesRead)).filter((urn) => matches(search, urn));
  const promoted = new Set(wide.slice(0, widePromoted));
  const from = place ?? { word: await rarestWord(ports, search), shard: 0, after: null };
  const isNew = (urn: Urn) => !promoted.has(urn);
  const { urns, next } = await (from.word === null
    ? scanned(ports, search, { ...from, size, isNew })
    : entered(ports, search, { word: from.word, after: from.after, size, isNew }));
  const isFirst = from.after === null && from.shard === 0;
  return { urns: isFirst ? [...promoted, ...urns] : urns, place: from, next };
}

const matches = ({ words, isWanted }: Search, urn: Urn): boolean => {
  const tails = nameTails(relationRefOf(nodeOf(urn)));
  return isWanted(urn) && words.every((word) => tails.some((tail) => tail.startsWith(word)));
};

/** The word with the fewest entries; of several with many, the one whose first entries match the others best. */
async function rarestWord({ names }: SearchPorts, search: Search): Promise<string | null> {
  const { workspace, words } = search;
  if (words.length < 2) return words[0] ?? null;
  const probed = words.toSorted((a, b) => b.length - a.length).slice(0, wordsProbed);
  const probes = await Promise.all(
    probed.map(async (word) => {
      const found = await names.beginningWith(workspace, word, { after: null, limit: entriesPerRead });
      const matching = found.entries.filter(({ urn }) => matches(search, urn)).length;
      return { word, count: found.next === null ? found.entries.length : Number.POSITIVE_INFINITY, matching };
    }),
  );
  return probes.reduce((a, b) => (b.count < a.count || (b.count === a.count && b.matching > a.matching) ? b : a)).word;
}

type Stretch = {
  readonly after: string | null;
  readonly size: number;
  readonly isNew: (urn: Urn) => boolean;
};
type Found = { readonly urns: readonly Urn[]; readonly next: ChunkPlace | null };

/** Candidates from the entries of one word. */
async function entered(
  { names }: SearchPorts,
  search: Search,
  { word, size, isNew, ...start }: Stretch & { readonly word: string },
): Promise<Found> {
  const urns: Urn[] = [];
  let after = start.after;
  for (let read = 0; read < readsPerChunk; read++) {
    const { entries, next } = await names.beginningWith(search.workspace, word, { after, limit: entriesPerRead });
    for (const { urn, tail, place } of entries) {
      if (urns.length === size) return { urns, next: { word, shard: 0, after } };
      after = place;
      if (isNew(urn) && isFirstEntry(urn, tail, word) && matches(search, urn)) urns.push(urn);
    }
    if (next === null) return { urns, next: null };
    after = next;
  }
  return { urns, next: { word, shard: 0, after } };
}

/** A name may have several parts that begin with the word: it counts at the first of its entries. */
const isFirstEntry = (urn: Urn, tail: string, word: string): boolean =>
  nameTails(relationRefOf(nodeOf(urn)))
    .filter((one) => one.startsWith(word))
    .sort()[0] === tail;

/** Candidates from the nodes themselves, in the order of the scan. */
async function scanned(
  ports: SearchPorts,
  search: Search,
  { after, size, isNew, ...start }: Stretch & { readonly shard: number },
): Promise<Found> {
  const urns: Urn[] = [];
  let [shard, node] = [start.shard, after];
  for (let round = 0; shard < shardCount; round++) {
    const limit = size - urns.length;
    if (limit === 0 || round === scansPerChunk) return { urns, next: { word: null, shard, after: node } };
    // A large graph fills the chunk from one shard, a small one is spread thinly over all.
    const width = round === 0 ? 1 : Math.min(shardsAtOnce, shardCount - shard);
    for (const { nodes, ...read } of await readShards(ports, search, { shard, node }, { width, limit })) {
      const taken = nodes.slice(0, size - urns.length);
      urns.push(...taken.map(({ urn }) => urn).filter((urn) => isNew(urn) && search.isWanted(urn)));
      const isUnread = nodes.length === limit || taken.length < nodes.length;
      shard = isUnread ? read.shard : read.shard + 1;
      node = isUnread ? (taken.at(-1)?.node ?? null) : null;
      if (isUnread) break;
    }
  }
  return { urns, next: null };
}

const readShards = (
  { pages }: SearchPorts,
  { workspace }: Search,
  from: { readonly shard: number; readonly node: string | null },
  { width, limit }: { readonly width: number; readonly limit: number },
) =>
  Promise.all(
    Array.from({ length: width }, async (_, i) => {
      const after = i === 0 ? (from.node as NodeId | null) : null;
      return { shard: from.shard + i, nodes: await pages.scan(workspace, from.shard + i, after, limit) };
    }),
  );
