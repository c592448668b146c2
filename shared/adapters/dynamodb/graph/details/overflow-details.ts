import { Fault } from '../../../../contract/problems.ts';
import type { EdgeDetail } from '../../../../domain/lineage/graph/derivation.ts';
import { contentDigest, type NodeId } from '../../../../domain/lineage/graph/node.ts';
import type { Order } from '../../../../domain/lineage/graph/order.ts';
import { edgeDetailPartKey } from '../../keys/graph-keys.ts';
import { type Key, keyOf } from '../../keys/registry-keys.ts';
import { batchGet, getItem, type Item, takeItem } from '../../requests/items.ts';
import { deleteParts, maxInlineBytes, pack, partsOf, putParts, readParts, unpack } from '../../requests/parts.ts';
import type { Table } from '../../requests/table.ts';
import { type Change, changing, equal, type UpdateExpression, updateItem } from '../../requests/update-item.ts';
import {
  edgesPerUpdate,
  type HasTakenEffect,
  markOverflowed,
  maxWriteUnits,
  newestFirst,
  nodeDetail,
  nodeDetailEdges,
  nodeDetailsItem,
  overflowed,
  type Packed,
  packedVersions,
  replacedAttribute,
  replacedIn,
  type VersionOfEdge,
  visibleVersions,
} from './node-details.ts';

/** A reader whose parts a newer detail replaced meanwhile looks again so often. */
const maxReads = 5;

/** Keeps the detail of one edge in its own item, if none as new is there; a long one in parts that are items. */
export async function putOverflow(
  table: Table,
  key: Key,
  edge: VersionOfEdge,
  hasTakenEffect: HasTakenEffect | null,
): Promise<void> {
  const packed = pack(edge.detail);
  const isLong = packed.B !== undefined && packed.B.length > maxInlineBytes;
  const apart = isLong ? await putApart(table, key, edge.order, packed.B) : null;
  const content = { g: { S: edge.order }, ...(apart ?? { m: packed }) };
  const { refused, item } = hasTakenEffect
    ? await replaceOverflow(table, key, { edge, content }, hasTakenEffect)
    : await updateItem(table, key, setting(content, [{ name: 'g', is: '<', value: content.g, orMissing: true }]));
  if (refused === null) await dropParts(table, key, item);
  else if (apart && refused['version']?.S !== apart.version.S) await dropParts(table, key, apart);
}

const settable = ['g', 'm', 'parts', 'version', replacedAttribute];

/** Sets attributes; of a new detail, those that another form of it has go. */
const setting = (
  set: Item,
  where: Change['where'],
  leaves: readonly string[] = [replacedAttribute],
): UpdateExpression => ({
  ...changing({ set, where, remove: settable.filter((name) => !(name in set) && !leaves.includes(name)) }),
  ReturnValues: 'UPDATED_OLD',
});

type Written = { readonly edge: VersionOfEdge; readonly content: Item };

/** The same, keeping what is replaced while it may be seen: the item is replaced as it was read. */
async function replaceOverflow(table: Table, key: Key, { edge, content }: Written, hasTakenEffect: HasTakenEffect) {
  let [item = {}] = await batchGet(table, [key]);
  for (;;) {
    const newest = item['g']?.S ?? '';
    const known = overflowVersions(item, edge.from);
    const retained = visibleVersions(newestFirst([edge, ...known]), hasTakenEffect);
    const replaced = packedVersions(retained);
    const older = replaced && { [replacedAttribute]: replaced };
    const isKept = older !== null && retained.includes(edge) && known.every(({ order }) => order !== edge.order);
    if (newest >= edge.order && !isKept) return { refused: item, item: null };
    const asRead = ['g', replacedAttribute].map((name) => equal(name, item[name]));
    const isNewest = newest < edge.order;
    const expression = setting({ ...(isNewest && content), ...older }, asRead, isNewest ? [] : settable);
    const answer = await updateItem(table, key, expression);
    if (answer.refused === null) return answer;
    item = answer.refused;
  }
}

/** An item's statements about its edge, newest first, without those in parts. */
export function overflowVersions(item: Item, from: NodeId): VersionOfEdge[] {
  const [order, detail] = [item['g']?.S as Order | undefined, item['m']];
  const current = order && detail ? [{ from, order, detail: unpack(detail) as EdgeDetail }] : [];
  return [...current, ...replacedIn(item)];
}

/** The order is in the version too: content that comes back later must not meet the removal of its first appearance. */
async function putApart(table: Table, key: Key, order: Order, bytes: Uint8Array) {
  const version = contentDigest(`${order} ${Buffer.from(bytes).toString('latin1')}`);
  await putParts(table, bytes, (part) => edgeDetailPartKey(key, version, part));
  return { parts: { N: String(partsOf(bytes)) }, version: { S: version } };
}

async function dropParts(table: Table, key: Key, item: Item | null): Promise<void> {
  const version = item?.['version']?.S;
  if (version === undefined) return;
  await deleteParts(table, Number(item?.['parts']?.N ?? 0), (part) => edgeDetailPartKey(key, version, part));
}

/** Forgets the detail of one edge, unless somebody newer than an order has spoken. */
export async function forgetOverflowUpTo(table: Table, key: Key, order: Order): Promise<void> {
  const forgotten = await takeItem(table, key, {
    ConditionExpression: 'g <= :order',
    ExpressionAttributeValues: { ':order': { S: order } },
  });
  await dropParts(table, key, forgotten);
}

export async function overflowDetailOf(table: Table, read: Item): Promise<EdgeDetail | null> {
  const key = keyOf(read);
  let item: Item | null = read;
  for (let attempt = 0; item && attempt < maxReads; attempt++) {
    const version = item['version']?.S;
    if (version === undefined) return unpack(item['m']) as EdgeDetail;
    const bytes = await readParts(table, Number(item['parts']?.N), (part) => edgeDetailPartKey(key, version, part));
    if (bytes) return unpack({ B: bytes }) as EdgeDetail;
    item = await getItem(table, key);
  }
  if (item) throw new Fault('detail_changes_too_fast', 'an edge detail changes faster than it can be read');
  return null;
}

/** As `putNodeDetails`, keeping what is replaced while it may be seen. `read` may be old: then it is read again. */
export async function replaceNodeDetails(
  table: Table,
  key: Key,
  details: readonly Packed[],
  { read, hasTakenEffect }: { readonly read: Item; readonly hasTakenEffect: HasTakenEffect },
): Promise<readonly Packed[]> {
  let item = read;
  let units = 0;
  let pending = details;
  while (pending.length > 0) {
    if (item[overflowed]) return pending;
    const now = pending.slice(0, edgesPerUpdate);
    const next = versionsWith(now, item, hasTakenEffect);
    const answer = next.some(({ isWanted }) => isWanted) ? await updateItem(table, key, replacing(next, item)) : null;
    item = answer?.refused ?? answer?.item ?? item;
    if (answer?.refused) continue;
    units = answer?.units ?? units;
    pending = pending.slice(now.length);
  }
  if (units > maxWriteUnits) await markOverflowed(table, key);
  return [];
}

type NextVersions = {
  readonly newest: Packed | null;
  readonly kept: readonly VersionOfEdge[];
  readonly isWanted: boolean;
};

function versionsWith(details: readonly Packed[], item: Item, hasTakenEffect: HasTakenEffect): NextVersions[] {
  const written = new Map(details.map((one) => [one.from, one]));
  const before = Map.groupBy(replacedIn(item), ({ from }) => from);
  const edges = new Set([...written.keys(), ...nodeDetailEdges(item)]);
  return [...edges].map((from) => {
    const [next, older] = [written.get(from), before.get(from) ?? []];
    const known = older.length > 0 || next ? [...currentVersion(item, from), ...older] : [];
    const isNew = next !== undefined && known.every(({ order }) => order !== next.order);
    const all = isNew ? newestFirst([versionOf(next), ...known]) : known;
    const retained = visibleVersions(all, hasTakenEffect);
    const newest = isNew && all[0]?.order === next.order ? next : null;
    return {
      newest,
      kept: retained,
      isWanted: newest !== null || (isNew && retained.some(({ order }) => order === next.order)),
    };
  });
}

function replacing(versions: readonly NextVersions[], item: Item): UpdateExpression {
  const replaced = packedVersions(versions.flatMap(({ kept }) => kept));
  const change: Change = {
    set: {
      ...nodeDetailsItem(versions.flatMap(({ newest }) => newest ?? [])),
      ...(replaced && { [replacedAttribute]: replaced }),
    },
    remove: replaced ? [] : [replacedAttribute],
    where: [equal('w', item['w'])],
  };
  return { ...changing(change), ReturnValues: 'ALL_NEW' };
}

const versionOf = ({ from, order, detail }: Packed): VersionOfEdge => ({
  from,
  order,
  detail: unpack(detail) as EdgeDetail,
});

export function currentVersion(item: Item, from: NodeId): VersionOfEdge[] {
  const current = nodeDetail(item, from);
  return current ? [versionOf({ from, ...current })] : [];
}
