// Details of a scope that are too long for a page: an item of their own, which the page names. One that is longer than an
// item has parts beside it.
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../../../contract/problems.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { DetailsByEdge } from '../../../../domain/lineage/graph/edge-details.ts';
import type { GraphId } from '../../../../domain/lineage/graph/node.ts';
import type { LongDetails } from '../../../../domain/lineage/graph/page-reader.ts';
import { longDetailsKey, longDetailsPartKey } from '../../keys/graph-keys.ts';
import { type Key, keyOf } from '../../keys/registry-keys.ts';
import { batchGet, deleteItem, getItem, type Item, keyAttributes, putItem } from '../../requests/items.ts';
import { deleteParts, maxInlineBytes, partsOf, putParts, readParts } from '../../requests/parts.ts';
import type { Table } from '../../requests/table.ts';
import { changing, equal, updateItem, writeStamp } from '../../requests/update-item.ts';
import { isSameValue, packDetails, sizeOf, unpackDetails } from './packed-details.ts';

type Place = { readonly table: Table; readonly graph: GraphId };

const inFlight = 24;

export async function readLongDetails({ table, graph }: Place, places: readonly LongDetails[]) {
  const items = new Map(places.map((one) => [longDetailsKey(graph, one).sk, one.item]));
  const read = await batchGet(
    table,
    places.map((one) => longDetailsKey(graph, one)),
  );
  const found = await inParallel(inFlight, read, async (item) => {
    const packed = await contentOf(table, item);
    return packed ? [[items.get(keyOf(item).sk) ?? '', unpackDetails(packed)] as const] : [];
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
  await putItem(table, { ...keyAttributes(key), ...(await contentAt(table, key, packDetails(details))) });
  return item;
}

/** Returns what is left; null where the item has gone, with its last detail or before. */
export async function changeLongDetails(
  { table, graph }: Place,
  place: LongDetails,
  change: (known: DetailsByEdge) => DetailsByEdge,
): Promise<DetailsByEdge | null> {
  const key = longDetailsKey(graph, place);
  for (;;) {
    const item = await getItem(table, key);
    const packed = item && (await contentOf(table, item));
    if (!packed) return null;
    const next = change(unpackDetails(packed));
    const asRead = equal('version', item['version']);
    if (next.size === 0) {
      const condition = { ConditionExpression: 'version = :version' };
      const values = { ExpressionAttributeValues: { ':version': item['version'] ?? { NULL: true } } };
      if (!(await deleteItem(table, key, { ...condition, ...values }))) continue;
      await dropParts(table, key, item);
      return null;
    }
    const content = packDetails(next);
    if (isSameValue(content, packed)) return next;
    const set = await contentAt(table, key, content);
    const remove = ['m', 'parts'].filter((name) => !(name in set));
    const { refused } = await updateItem(table, key, changing({ set, remove, where: [asRead] }));
    await dropParts(table, key, refused === null ? item : set);
    if (refused === null) return next;
  }
}

export async function deleteLongDetails({ table, graph }: Place, place: LongDetails): Promise<void> {
  const key = longDetailsKey(graph, place);
  const item = await getItem(table, key);
  await deleteItem(table, key);
  if (item) await dropParts(table, key, item);
}

/** What an item holds of a content. Its version is unique: parts that come back must not meet their own removal. */
async function contentAt(table: Table, key: Key, packed: AttributeValue): Promise<Item> {
  const version = writeStamp();
  if (packed.B === undefined || sizeOf(packed) <= maxInlineBytes) return { version, m: packed };
  await putParts(table, packed.B, (part) => longDetailsPartKey(key, version.S ?? '', part));
  return { version, parts: { N: String(partsOf(packed.B)) } };
}

async function dropParts(table: Table, key: Key, { version, parts }: Item): Promise<void> {
  await deleteParts(table, Number(parts?.N ?? 0), (part) => longDetailsPartKey(key, version?.S ?? '', part));
}

/** A reader whose parts a newer content replaced meanwhile looks again so often. */
const maxReads = 5;

async function contentOf(table: Table, read: Item): Promise<AttributeValue | null> {
  const key = keyOf(read);
  let item: Item | null = read;
  for (let attempt = 0; item && attempt < maxReads; attempt++) {
    const { m, version, parts } = item;
    if (m) return m;
    const bytes = await readParts(table, Number(parts?.N), (part) => longDetailsPartKey(key, version?.S ?? '', part));
    if (bytes) return { B: bytes };
    item = await getItem(table, key);
  }
  if (item) throw new Fault('detail_changes_too_fast', 'an edge detail changes faster than it can be read');
  return null;
}
