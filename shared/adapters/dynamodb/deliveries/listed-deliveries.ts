import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import { sortedBy } from '../../../domain/base/collections.ts';
import { Delivery, placeOf } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { DeliveryPosition, HeldDeliveries } from '../../../domain/lineage/ingest/deliveries/ports.ts';
import { deliveryKey, deliveryListPartitions, heldIndex, listedDeliveryKey } from '../keys/delivery-keys.ts';
import { queryRecords } from '../registry/registry-collection.ts';
import { batchGet, type Item } from '../requests/batch-get.ts';
import type { Table } from '../requests/table.ts';
import { expiryAttribute, expiryOf, type KeptDays } from './delivery-item.ts';

/** An entry of the list; those of 0.1.0 do not tell the digest. */
export type Listed = DeliveryPosition & { readonly digest: string | null };

export type ListRange = {
  readonly after: DeliveryPosition | null;
  /** Where the range ends; for the oldest first alone. */
  readonly until?: string;
  readonly oldestFirst: boolean;
  /** Whether those of 0.1.0 are meant too. */
  readonly withEarlier: boolean;
  /** So many or fewer are answered. */
  readonly wanted: number;
};

/** Enters a delivery into the list of its workspace, with its bytes where they are small. */
export async function enlist(
  table: Table,
  delivery: Delivery,
  deflated: Uint8Array | null,
  keptDays: KeptDays,
): Promise<void> {
  const { pk, sk } = listedDeliveryKey(placeOf(delivery));
  const expiry = expiryAttribute(expiryOf(delivery, delivery.received_at, keptDays));
  const Item = { pk: { S: pk }, sk: { S: sk }, ...(deflated && { bytes: { B: deflated } }), ...expiry };
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
}

/**
 * Entries of a workspace in the order of receipt; `next` is where to go on, null at the end. The shards are read side by
 * side; nothing beyond the point that every shard has reached is answered, so no entry is skipped.
 */
export async function readListed(
  table: Table,
  workspace: WorkspaceId,
  range: ListRange,
): Promise<{ readonly listed: readonly Listed[]; readonly next: DeliveryPosition | null }> {
  const partitions = deliveryListPartitions(workspace);
  const shards = [...partitions.map(inTable), ...(range.withEarlier ? partitions.map(inIndex) : [])];
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

/** The items of the receipts that stand at those places, in their order; an entry that no receipt followed has none. */
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
  item['received_at']?.S === received_at && (digest === null || item['payload']?.M?.['digest']?.S === digest);

type Shard = { readonly partition: string; readonly pk: string; readonly sk: string; readonly index?: string };
const inTable = (partition: string): Shard => ({ partition, pk: 'pk', sk: 'sk' });
const inIndex = (partition: string): Shard => ({ partition, pk: 'gsi1pk', sk: 'gsi1sk', index: 'gsi1' });

/** More than a shard's part of what is wanted, so that one page is mostly enough. */
const perShard = (wanted: number): number => Math.ceil(wanted / 4) + 1;

async function readShard(
  table: Table,
  { partition, pk, sk, index }: Shard,
  { after, until = '~', oldestFirst, wanted }: ListRange,
): Promise<{ readonly places: readonly string[]; readonly reached: string | null }> {
  const place = after && `${after.received_at}#${after.delivery_id}`;
  // Every place begins with a year; none is between a place and the same with `~`.
  const [from, to] = oldestFirst ? [place ? `${place}#~` : '0', until] : ['0', place ?? '~'];
  if (from >= to) return { places: [], reached: null };
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(index !== undefined && { IndexName: index }),
      KeyConditionExpression: oldestFirst
        ? `${pk} = :pk AND ${sk} BETWEEN :from AND :to`
        : `${pk} = :pk AND ${sk} < :to`,
      ProjectionExpression: sk,
      ExpressionAttributeValues: {
        ':pk': { S: partition },
        ':to': { S: to },
        ...(oldestFirst && { ':from': { S: from } }),
      },
      ScanIndexForward: oldestFirst,
      Limit: perShard(wanted),
    }),
  );
  const reached = LastEvaluatedKey?.[sk]?.S;
  return { places: Items.flatMap((item) => item[sk]?.S ?? []), reached: reached ? withoutDigest(reached) : null };
}

const listedAt = (place: string): Listed => {
  const [received_at = '', delivery_id = '', digest = null] = place.split('#');
  return { received_at, delivery_id, digest };
};

const positionOf = ({ received_at, delivery_id }: Listed): DeliveryPosition => ({ received_at, delivery_id });
const withoutDigest = (place: string): string => place.split('#', 2).join('#');

const earlierPlace = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);
const laterPlace = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a);

/** The deliveries that wait for an administrator, from their index. */
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
