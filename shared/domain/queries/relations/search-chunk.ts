import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type NodeId, shardCount } from '../../graph/ids.ts';
import { indexedBeginning, indexedTails, leadingBeginning, nameTails } from '../../graph/name-parts.ts';
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

/**
 * Where a chunk of candidates begins: after an entry of one word, or after a node of a shard, where there is no word or
 * the word may be a leading part of names (`indexedTails`).
 */
export const ChunkPlace = v.object({
  word: v.nullable(v.string()),
  shard: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount))),
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
const nodesPerScan = 200;

/** The next candidates of a search in the order of the index, at most `size` and the most connected ones before them. */
export async function chunkOf(
  ports: SearchPorts,
  search: Search,
  place: ChunkPlace | null,
  size: number,
): Promise<Chunk> {
  const wide = (await ports.names.wideNodes(search.workspace, wideNodesRead)).filter((urn) => matches(search, urn));
  const promoted = new Set(wide.slice(0, widePromoted));
  const from = place ?? startOf(await rarestWord(ports, search));
  const isNew = (urn: Urn) => !promoted.has(urn);
  const { urns, next } = await candidates(ports, search, from, { size, isNew });
  const isFirst = from.after === null && (from.word === null ? from.shard === 0 : from.shard === null);
  return { urns: isFirst ? [...promoted, ...urns] : urns, place: from, next };
}

/** Entries that are fewer than a chunk are followed by what the nodes themselves have. */
async function candidates(ports: SearchPorts, search: Search, from: ChunkPlace, wanted: Wanted): Promise<Found> {
  const { word, shard, after } = from;
  if (word === null || shard !== null) return scanned(ports, search, { ...from, ...wanted });
  const first = await entered(ports, search, { word, after, ...wanted });
  const left = wanted.size - first.urns.length;
  if (left === 0 || first.next === null || first.next.shard === null) return first;
  const more = await scanned(ports, search, { ...first.next, ...wanted, size: left });
  return { urns: [...first.urns, ...more.urns], next: more.next };
}

const startOf = (word: string | null): ChunkPlace => ({ word, shard: word === null ? 0 : null, after: null });

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
      const [found, isLeading] = await Promise.all([
        names.beginningWith(workspace, indexedBeginning(word), { after: null, limit: entriesPerRead }),
        mayLead(names, workspace, word),
      ]);
      const matching = found.entries.filter(({ urn }) => matches(search, urn)).length;
      const isCounted = found.next === null && !isLeading;
      return { word, count: isCounted ? found.entries.length : Number.POSITIVE_INFINITY, matching };
    }),
  );
  return probes.reduce((a, b) => (b.count < a.count || (b.count === a.count && b.matching > a.matching) ? b : a)).word;
}

/** Whether names that a word matches may have it in their leading part alone, where no entry leads to them. */
async function mayLead(names: NameIndex, workspace: WorkspaceId, word: string): Promise<boolean> {
  const beginning = leadingBeginning(word);
  return beginning !== null && (await names.leads(workspace, beginning));
}

type Wanted = { readonly size: number; readonly isNew: (urn: Urn) => boolean };
type Stretch = Wanted & { readonly after: string | null };
type Found = { readonly urns: readonly Urn[]; readonly next: ChunkPlace | null };

/** Candidates from the entries of one word; after them, those that have it in their leading part. */
async function entered(
  { names }: SearchPorts,
  search: Search,
  { word, size, isNew, ...start }: Stretch & { readonly word: string },
): Promise<Found> {
  const urns: Urn[] = [];
  const beginning = indexedBeginning(word);
  let after = start.after;
  for (let read = 0; read < readsPerChunk; read++) {
    const { entries, next } = await names.beginningWith(search.workspace, beginning, { after, limit: entriesPerRead });
    for (const { urn, tail, place } of entries) {
      if (urns.length === size) return { urns, next: { word, shard: null, after } };
      after = place;
      if (isNew(urn) && firstEntryOf(urn, beginning) === tail && matches(search, urn)) urns.push(urn);
    }
    if (next === null) {
      const isLeading = await mayLead(names, search.workspace, word);
      return { urns, next: isLeading ? { word, shard: 0, after: null } : null };
    }
    after = next;
  }
  return { urns, next: { word, shard: null, after } };
}

/** A name may have several parts that begin with the word: it counts at the first of its entries. */
const firstEntryOf = (urn: Urn, beginning: string): string | undefined =>
  indexedTails(relationRefOf(nodeOf(urn)))
    .own.filter((one) => one.startsWith(beginning))
    .sort()[0];

/** Candidates from the nodes themselves, in the order of the scan; those that a word's entries led to came before. */
async function scanned(
  ports: SearchPorts,
  search: Search,
  { word, after, size, isNew, ...start }: Stretch & Pick<ChunkPlace, 'word' | 'shard'>,
): Promise<Found> {
  const cameBefore = (urn: Urn) => word !== null && firstEntryOf(urn, word) !== undefined;
  const urns: Urn[] = [];
  let [shard, node, isLarge] = [start.shard ?? 0, after, true];
  for (let round = 0; shard < shardCount; round++) {
    if (urns.length === size || round === scansPerChunk) return { urns, next: { word, shard, after: node } };
    // A large graph fills the chunk from one shard, a small one is spread thinly over all.
    const width = isLarge ? 1 : Math.min(shardsAtOnce, shardCount - shard);
    for (const nodes of await readShards(ports, search, { shard, node }, width)) {
      let taken = 0;
      for (; taken < nodes.length && urns.length < size; taken++) {
        const { urn } = nodes[taken] ?? {};
        if (urn && isNew(urn) && matches(search, urn) && !cameBefore(urn)) urns.push(urn);
      }
      isLarge = nodes.length === nodesPerScan;
      const isWhole = taken === nodes.length && !isLarge;
      node = isWhole ? null : (nodes[taken - 1]?.node ?? node);
      if (!isWhole) break;
      shard++;
    }
  }
  return { urns, next: null };
}

const readShards = (
  { pages }: SearchPorts,
  { workspace }: Search,
  from: { readonly shard: number; readonly node: string | null },
  width: number,
) =>
  Promise.all(
    Array.from({ length: width }, (_, i) => {
      const after = i === 0 ? (from.node as NodeId | null) : null;
      return pages.scan(workspace, from.shard + i, after, nodesPerScan);
    }),
  );
