// By its default export: the command line also runs on a Node without Zstandard, where it packs no blocks.
import zlib from 'node:zlib';
import { Fault } from '../../../contract/problems.ts';

/** Bytes of a block before it is compressed, as far as whole entries make it: what a reader inflates for one key. */
const blockCharacters = 128 * 1_024;
/** What is read first: the index of some 1,500 blocks, or all of a small table. */
const headBytes = 64 * 1_024;
const newline = 10;
const fast = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };

/** The line in front of the blocks: the first key of each, and how many bytes it has. */
type Index = { readonly version: 1; readonly blocks: readonly (readonly [first: string, bytes: number])[] };

/** Sorted entries that can be read one by one: an index line, then Zstandard blocks of lines `[key, value]`. */
export function packSorted(entries: ReadonlyMap<string, unknown>): Uint8Array {
  const blocks = [...blocksOf(entries)];
  const index: Index = { version: 1, blocks: blocks.map(({ first, bytes }) => [first, bytes.byteLength]) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...blocks.map(({ bytes }) => bytes)]);
}

function* blocksOf(entries: ReadonlyMap<string, unknown>): Generator<{ first: string; bytes: Uint8Array }> {
  let lines: string[] = [];
  let [first, characters] = ['', 0];
  const ended = () => ({ first, bytes: zlib.zstdCompressSync(lines.join('\n'), fast) });
  for (const key of [...entries.keys()].sort()) {
    if (lines.length === 0) first = key;
    const line = JSON.stringify([key, entries.get(key)]);
    lines.push(line);
    characters += line.length;
    if (characters < blockCharacters) continue;
    yield ended();
    [lines, characters] = [[], 0];
  }
  if (lines.length > 0) yield ended();
}

/** Reads bytes of a table, fewer where it ends before; null if there is no table. */
export type ReadRange = (from: number, bytes: number) => Promise<Uint8Array | null>;

/** Opens a packed table by its index; null if there is none. Reads one block a key, each once for sorted keys. */
export async function openSorted(read: ReadRange): Promise<((key: string) => Promise<unknown>) | null> {
  const head = await headOf(read);
  if (head === null) return null;
  const places = placesOf(head);
  let last: { readonly place: Place; readonly entries: Promise<ReadonlyMap<string, unknown>> } | null = null;
  return async (key) => {
    const place = places.findLast(({ first }) => first <= key);
    if (!place) return undefined;
    if (last?.place !== place) last = { place, entries: entriesAt(read, head, place) };
    return (await last.entries).get(key);
  };
}

type Head = { readonly index: Index; readonly end: number; readonly bytes: Uint8Array };
type Place = { readonly first: string; readonly from: number; readonly bytes: number };

async function headOf(read: ReadRange): Promise<Head | null> {
  let bytes: Uint8Array = new Uint8Array();
  for (;;) {
    const more = await read(bytes.byteLength, headBytes);
    if (more === null) return null;
    const end = more.indexOf(newline);
    bytes = Buffer.concat([bytes, more]);
    if (end < 0 && more.byteLength < headBytes)
      throw new Fault('sorted_blocks_without_index', 'a packed table has no index');
    if (end < 0) continue;
    const line = bytes.subarray(0, bytes.indexOf(newline));
    const index = JSON.parse(Buffer.from(line).toString('utf8')) as Index;
    // A later version wrote it: who can do without a table does so.
    return index.version === 1 ? { index, end: line.byteLength + 1, bytes } : null;
  }
}

function placesOf({ index, end }: Head): Place[] {
  let from = end;
  return index.blocks.map(([first, bytes]) => {
    const place = { first, from, bytes };
    from += bytes;
    return place;
  });
}

async function entriesAt(read: ReadRange, head: Head, { from, bytes }: Place): Promise<ReadonlyMap<string, unknown>> {
  const known = head.bytes.subarray(from, from + bytes);
  const packed = known.byteLength === bytes ? known : await read(from, bytes);
  if (packed?.byteLength !== bytes) throw new Fault('sorted_block_cut_short', 'a packed table ends within a block');
  const lines = zlib.zstdDecompressSync(packed).toString('utf8').split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as [string, unknown]));
}
