import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import { sortedBy } from '../../../domain/base/collections.ts';
import { graphOf, type ScopeId } from '../../../domain/lineage/graph/node.ts';
import { nothingForgotten, type Order, snapshotOrder } from '../../../domain/lineage/graph/order.ts';
import { Delivery, placeOf } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { DeliveryPosition, HeldDeliveries } from '../../../domain/lineage/ingest/deliveries/ports.ts';
import type { AcceptanceReader, ScopeAcceptances } from '../../../domain/lineage/ingest/ports.ts';
import type { SnapshotLog, SnapshotStatus } from '../../../domain/lineage/projection/snapshot-status.ts';
import { takeOrder } from '../graph/scopes/scope-heads.ts';
import {
  deliveryKey,
  deliveryListPartitions,
  heldIndex,
  keyedContentKey,
  listedDeliveryKey,
  providerKey,
  snapshotStatusKey,
} from '../keys/delivery-keys.ts';
import { scopeHeadKey } from '../keys/graph-keys.ts';
import type { Key } from '../keys/registry-keys.ts';
import { queryRecords } from '../registry/registry-collection.ts';
import { connectorOf, connectorShape, named } from '../registry/registry-readers.ts';
import { attributes, batchGet, getRecord, type Item, keyAttributes, putItem } from '../requests/items.ts';
import { between, queryOnce } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, type UpdateExpression, updateItem } from '../requests/update-item.ts';
import { providerOf } from './providers.ts';
import { deliveryOf, expiryAttribute, expiryOf, type RetentionDays } from './small-payloads.ts';

export type Listed = DeliveryPosition & { readonly digest: string };

export type ListRange = {
  readonly after: DeliveryPosition | null;
  /** Where the range ends; only for the oldest first. */
  readonly until?: string;
  readonly oldestFirst: boolean;
  readonly wanted: number;
};

/** Enters a delivery into the list of its workspace, with its bytes where they are small. */
export async function enlist(
  table: Table,
  delivery: Delivery,
  deflated: Uint8Array | null,
  retentionDays: RetentionDays,
): Promise<void> {
  const key = keyAttributes(listedDeliveryKey(placeOf(delivery)));
  const expiry = expiryAttribute(expiryOf(delivery, delivery.received_at, retentionDays));
  await putItem(table, { ...key, ...(deflated && { bytes: { B: deflated } }), ...expiry });
}

/** In order of receipt. Shards are read side by side, only up to what all have reached, so no entry is skipped. */
export async function readListed(table: Table, workspace: WorkspaceId, range: ListRange) {
  const shards = deliveryListPartitions(workspace);
  const read = await Promise.all(shards.map((shard) => readShard(table, shard, range)));
  const nearer = range.oldestFirst ? earlierPlace : laterPlace;
  // The first place, in the order of the range, at which some shard stopped early.
  const horizon = read.map(({ reached }) => reached).reduce(nearer, null);
  const within = read
    .flatMap(({ places }) => places)
    .filter((place) => horizon === null || nearer(withoutDigest(place), horizon) === withoutDigest(place));
  const ascending = sortedBy(within, (place) => place);
  const found = (range.oldestFirst ? ascending : ascending.reverse()).map(listedAt);
  const listed = found.slice(0, range.wanted);
  const last = listed.at(-1);
  if (found.length > range.wanted && last) return { listed, next: positionOf(last) };
  return { listed, next: horizon === null ? null : positionOf(listedAt(horizon)) };
}

/** The items of the receipts that are at those places, in their order; an entry that no receipt followed has none. */
export async function receiptsAt(table: Table, workspace: WorkspaceId, listed: readonly Listed[]): Promise<Item[]> {
  const keys = new Map(
    listed.map(({ delivery_id }) => [delivery_id, deliveryKey(workspace, delivery_id as DeliveryId)]),
  );
  const items = await batchGet(table, [...keys.values()]);
  const byId = new Map(items.map((item) => [item['delivery_id']?.S, item]));
  return listed.flatMap((entry) => {
    const item = byId.get(entry.delivery_id);
    return item && isOf(item, entry) ? [item] : [];
  });
}

/** The same bytes may have been entered twice, by requests at once: one of them got the receipt. */
const isOf = (item: Item, { received_at, digest }: Listed): boolean =>
  item['received_at']?.S === received_at && item['payload']?.M?.['digest']?.S === digest;

/** More than a shard's share of the page, so that one query is usually enough. */
const perShard = (requested: number): number => Math.ceil(requested / 4) + 1;

async function readShard(table: Table, partition: string, { after, until = '~', oldestFirst, wanted }: ListRange) {
  const place = after && `${after.received_at}#${after.delivery_id}`;
  // Every place begins with a year; none is between a place and the same with `~`.
  const [from, to] = oldestFirst ? [place ? `${place}#~` : '0', until] : ['0', place ?? '~'];
  if (from >= to) return { places: [], reached: null };
  const before = {
    KeyConditionExpression: 'pk = :pk AND sk < :to',
    ExpressionAttributeValues: { ':pk': { S: partition }, ':to': { S: to } },
  };
  const { Items = [], LastEvaluatedKey } = await queryOnce(table, {
    ...(oldestFirst ? between(partition, from, to) : before),
    ProjectionExpression: 'sk',
    ScanIndexForward: oldestFirst,
    Limit: perShard(wanted),
  });
  const reached = LastEvaluatedKey?.['sk']?.S;
  return { places: Items.flatMap(({ sk }) => sk?.S ?? []), reached: reached ? withoutDigest(reached) : null };
}

const listedAt = (place: string): Listed => {
  const [received_at = '', delivery_id = '', digest = ''] = place.split('#');
  return { received_at, delivery_id, digest };
};

export const positionOf = ({ received_at, delivery_id }: DeliveryPosition): DeliveryPosition => ({
  received_at,
  delivery_id,
});
const withoutDigest = (place: string): string => place.split('#', 2).join('#');

const earlierPlace = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);
const laterPlace = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a);

export const heldDeliveries = (table: Table): HeldDeliveries => ({
  held: (workspace, limit) =>
    queryRecords(table, Delivery, {
      IndexName: 'gsi2',
      KeyConditionExpression: 'gsi2pk = :index',
      ExpressionAttributeValues: { ':index': { S: heldIndex(workspace) } },
      ScanIndexForward: false,
      Limit: limit,
    }),
});

/** Reads what decides an acceptance in one request; in two, where its content came before with a key. */
export function acceptanceReader(table: Table): AcceptanceReader {
  return async (workspace, ids) => {
    const [delivery, provider] = [deliveryKey(workspace, ids.delivery), providerKey(workspace, ids.provider)];
    const connector = ids.connector && connectorShape.key({ workspace_id: workspace, id: ids.connector });
    const keyed = ids.byContent ? keyedContentKey(workspace, ids.delivery) : null;
    const keys = [delivery, provider, connector, keyed].filter((key) => key !== null);
    const items = await batchGet(table, keys, { consistent: true });
    const read = <T>(key: Key | null, from: (item: Item) => T): T | null => {
      const item = key && items.find((one) => one['pk']?.S === key.pk && one['sk']?.S === key.sk);
      return item ? from(item) : null;
    };
    const same = read(keyed, (item) => item['delivery_id']?.S as DeliveryId);
    return {
      delivery:
        read(delivery, deliveryOf) ?? (same && (await getRecord(table, Delivery, deliveryKey(workspace, same)))),
      provider: read(provider, providerOf),
      connector: read(connector, connectorOf),
    };
  };
}

/** Acceptances of a scope, counted on its head in the first generation of the graph, which stays. */
export function scopeAcceptances(table: Table): ScopeAcceptances {
  return {
    snapshots: async (workspace, scope) => {
      const [head] = await batchGet(table, [scopeHeadKey(graphOf(workspace, 0), scope)], {
        consistent: true,
        attributes: ['snapshots', 'last_snapshot'],
      });
      const last = head?.['last_snapshot']?.N;
      return {
        count: Number(head?.['snapshots']?.N ?? 0),
        last: last === undefined ? null : snapshotOrder(Number(last)),
      };
    },
    forgotten: async (workspace) =>
      (await named(table).graphs.find({ workspace_id: workspace }))?.record.forgotten ?? nothingForgotten,
    takeOrder: (workspace, identity, complete) => takeOrder(table, graphOf(workspace, 0), identity, complete),
  };
}

type Feed = Parameters<SnapshotLog['settled']>[0];

/** How snapshots went, over the table: one item a scope of registers that only rise. */
export function snapshotLog(table: Table): SnapshotLog {
  const write = async ({ workspace_id, provider_instance_id }: Feed, scope: ScopeId, expression: UpdateExpression) => {
    await updateItem(table, snapshotStatusKey(workspace_id, provider_instance_id, scope), expression);
  };
  return {
    shrank: (feed, scope, { order, deliveryId, held }) =>
      write(feed, scope, rising('shrank', order, { delivery_id: deliveryId, held })),
    unresolved: (feed, scope, { order, deliveryId }) =>
      write(feed, scope, rising('unresolved', order, { unresolved_delivery: deliveryId })),
    settled: (feed, scope, order) => write(feed, scope, rising('settled', order)),
    released: (feed, scope, order) => write(feed, scope, rising('released', order)),
    clearHeld: (feed, scope, order) =>
      write(
        feed,
        scope,
        changing({ set: { held: { BOOL: false } }, where: [{ name: 'shrank', is: '=', value: { S: order } }] }),
      ),
  };
}

function rising(name: string, order: Order, others: Readonly<Record<string, unknown>> = {}): UpdateExpression {
  const value = { S: order };
  const set = { [name]: value, ...attributes(others) };
  return changing({ set, where: [{ name, is: '<', value, orMissing: true }] });
}

export function snapshotStatusOf(item: Item): SnapshotStatus {
  const order = (name: string) => (item[name]?.S ?? null) as Order | null;
  const [shrank, deliveryId] = [order('shrank'), item['delivery_id']?.S];
  const [unresolved, unresolvedId] = [order('unresolved'), item['unresolved_delivery']?.S];
  return {
    scope: (item['sk']?.S ?? '').split('#')[1] as ScopeId,
    shrank:
      shrank !== null && deliveryId !== undefined
        ? { order: shrank, deliveryId: deliveryId as DeliveryId, held: item['held']?.BOOL ?? false }
        : null,
    unresolved:
      unresolved !== null && unresolvedId !== undefined
        ? { order: unresolved, deliveryId: unresolvedId as DeliveryId }
        : null,
    settled: order('settled'),
    released: order('released'),
  };
}
