// Details of a scope that are too long for a page. The page names an item, which tells when and where they were stated;
// the statements are beside it, in parts that a run with the same statements does not write again.
import type { LRUCache } from 'lru-cache';
import { Fault } from '../../../../contract/problems.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import { sha256 } from '../../../../domain/base/digest.ts';
import type { DetailsByEdge } from '../../../../domain/lineage/graph/edge-details.ts';
import type { GraphId } from '../../../../domain/lineage/graph/node.ts';
import type { LongDetails } from '../../../../domain/lineage/graph/page-reader.ts';
import { longDetailsKey, longDetailsPartKey } from '../../keys/graph-keys.ts';
import { type Key, keyOf } from '../../keys/registry-keys.ts';
import { batchGet, deleteItem, getItem, type Item, keyAttributes, putItem } from '../../requests/items.ts';
import { deleteParts, pack, packedBytes, partsOf, putParts, readParts, unpack } from '../../requests/parts.ts';
import type { Table } from '../../requests/table.ts';
import { changing, equal, updateItem, writeStamp } from '../../requests/update-item.ts';
import {
  isSameValue,
  joinDetails,
  type PackedOccasions,
  type PackedStatements,
  splitDetails,
} from './packed-details.ts';

type Place = { readonly table: Table; readonly graph: GraphId };

/** Statements by the name of their content, which never changes. Only writers have them: an answer costs the same each time. */
export type KnownStatements = LRUCache<string, { readonly statements: PackedStatements; readonly bytes: number }>;
type WriterPlace = Place & { readonly state: { readonly statements: KnownStatements } };

const inFlight = 24;

export async function readLongDetails({ table, graph }: Place, places: readonly LongDetails[]) {
  const items = new Map(places.map((one) => [longDetailsKey(graph, one).sk, one.item]));
  const read = await batchGet(
    table,
    places.map((one) => longDetailsKey(graph, one)),
  );
  const found = await inParallel(inFlight, read, async (item) => {
    const details = await detailsIn(table, item);
    return details ? [[items.get(keyOf(item).sk) ?? '', details] as const] : [];
  });
  return new Map(found.flat());
}

/** Under a name that no other content ever has: a page that names it means this and what becomes of it. */
export async function createLongDetails(
  { table, graph }: Place,
  to: LongDetails['to'],
  details: DetailsByEdge,
): Promise<string> {
  const item = writeStamp().S ?? '';
  const key = longDetailsKey(graph, { to, item });
  const { statements, occasions } = splitDetails(details);
  const content = await putContent(table, key, packedBytes(statements));
  await putItem(table, { ...keyAttributes(key), version: writeStamp(), m: pack(occasions), ...content });
  return item;
}

/** Returns what is left; null where the item has gone, with its last detail or before. */
export async function changeLongDetails(
  writer: WriterPlace,
  place: LongDetails,
  change: (known: DetailsByEdge) => DetailsByEdge,
): Promise<DetailsByEdge | null> {
  const { table, graph, state } = writer;
  const key = longDetailsKey(graph, place);
  for (;;) {
    const item = await getItem(table, key);
    const known = item && (await detailsIn(table, item, state.statements));
    if (!known) return null;
    const next = change(known);
    if (next.size === 0) {
      const asRead = { ExpressionAttributeValues: { ':version': item['version'] ?? { NULL: true } } };
      if (!(await deleteItem(table, key, { ConditionExpression: 'version = :version', ...asRead }))) continue;
      await dropContent(table, key, item);
      return null;
    }
    const { statements, occasions } = splitDetails(next);
    const [m, bytes] = [pack(occasions), packedBytes(statements)];
    const isSame = digestOf(bytes) === item['digest']?.S;
    if (isSame && isSameValue(m, item['m'])) return next;
    const content = isSame ? {} : await putContent(table, key, bytes);
    const set = { version: writeStamp(), m, ...content };
    const { refused } = await updateItem(table, key, changing({ set, where: [equal('version', item['version'])] }));
    if (!isSame) await dropContent(table, key, refused === null ? item : content);
    if (refused === null) return next;
  }
}

export async function deleteLongDetails({ table, graph }: Place, place: LongDetails): Promise<void> {
  const key = longDetailsKey(graph, place);
  const item = await getItem(table, key);
  await deleteItem(table, key);
  if (item) await dropContent(table, key, item);
}

const digestOf = (bytes: Uint8Array): string => sha256(bytes).toString('base64url');

/** Writes content under a unique name: what comes back later must not meet the removal of its first appearance. */
async function putContent(table: Table, key: Key, bytes: Uint8Array): Promise<Item> {
  const content = writeStamp();
  await putParts(table, bytes, (part) => longDetailsPartKey(key, content.S ?? '', part));
  return { content, parts: { N: String(partsOf(bytes)) }, digest: { S: digestOf(bytes) } };
}

async function dropContent(table: Table, key: Key, { content, parts }: Item): Promise<void> {
  await deleteParts(table, Number(parts?.N ?? 0), (part) => longDetailsPartKey(key, content?.S ?? '', part));
}

/** A reader whose parts a newer content replaced meanwhile looks again so often. */
const maxReads = 5;

async function detailsIn(table: Table, read: Item, known?: KnownStatements): Promise<DetailsByEdge | null> {
  const key = keyOf(read);
  let item: Item | null = read;
  for (let attempt = 0; item && attempt < maxReads; attempt++) {
    const statements = await statementsIn(table, key, item, known);
    if (statements) return joinDetails(statements, unpack(item['m']) as PackedOccasions);
    item = await getItem(table, key);
  }
  if (item) throw new Fault('detail_changes_too_fast', 'an edge detail changes faster than it can be read');
  return null;
}

async function statementsIn(table: Table, key: Key, { content, parts }: Item, known?: KnownStatements) {
  const name = content?.S ?? '';
  const remembered = known?.get(name);
  if (remembered) return remembered.statements;
  const bytes = await readParts(table, Number(parts?.N), (part) => longDetailsPartKey(key, name, part));
  if (!bytes) return null;
  const statements = unpack({ B: bytes }) as PackedStatements;
  known?.set(name, { statements, bytes: bytes.length });
  return statements;
}
