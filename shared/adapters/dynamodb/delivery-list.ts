import type { WorkspaceId } from '../../contract/ids.ts';
import type { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import type { DeliveryFilter, DeliveryPosition } from '../../domain/ingest/deliveries/ports.ts';
import { sortedBy } from '../../domain/sorted-by.ts';
import { attributes, deliveryOf } from './delivery-item.ts';
import { deliveryListIndex, deliveryListShards } from './keys/delivery-keys.ts';
import { queryPage } from './query-page.ts';
import type { Table } from './table.ts';

type ListRequest = DeliveryFilter & {
  readonly limit: number;
  readonly after: DeliveryPosition | null;
  readonly oldestFirst?: boolean;
};
type Listed = { readonly items: readonly Delivery[]; readonly next: DeliveryPosition | null };

/**
 * A page of the workspace's deliveries, newest or oldest first. The shards are read side by side, each no further than the page
 * needs or the bound allows; nothing beyond the point that every shard has reached is answered, so no row is skipped.
 */
export async function listDeliveries(table: Table, workspace: WorkspaceId, page: ListRequest): Promise<Listed> {
  const { oldestFirst = false } = page;
  // Not empty: a key is compared with no empty text. Every place begins with a year.
  const start = page.after ? placeText(page.after) : oldestFirst ? '0' : '~';
  const nearer = oldestFirst ? earlierPlace : laterPlace;
  const shards = Array.from({ length: deliveryListShards }, (_, shard) => deliveryListIndex(workspace, shard));
  const read = await Promise.all(shards.map((shard) => readShard(table, shard, start, page)));
  // The first place, in the order of the page, at which some shard stopped early.
  const horizon = read.map(({ reached }) => reached).reduce(nearer, null);
  const listed = read
    .flatMap(({ items }) => items)
    .map((item) => ({ place: item['gsi1sk']?.S ?? '', item }))
    .filter(({ place }) => horizon === null || nearer(place, horizon) === place);
  const ascending = sortedBy(listed, ({ place }) => place);
  const found = oldestFirst ? ascending : ascending.reverse();
  const items = found.slice(0, page.limit);
  const last = found.length > page.limit ? (items.at(-1)?.place ?? null) : horizon;
  return { items: items.map(({ item }) => deliveryOf(item)), next: last === null ? null : placeOf(last) };
}

const earlierPlace = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);
const laterPlace = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a);

const placeText = ({ received_at, delivery_id }: DeliveryPosition) => `${received_at}#${delivery_id}`;

function placeOf(text: string): DeliveryPosition {
  const [received_at = '', delivery_id = ''] = text.split('#');
  return { received_at, delivery_id };
}

/** Matching rows of one shard from a place on. */
const readShard = (table: Table, shard: string, from: string, page: ListRequest) =>
  queryPage(
    table,
    {
      ScanIndexForward: page.oldestFirst ?? false,
      Limit: page.state === null && page.connectorId === null ? page.limit + 1 : 500,
      ...condition(shard, from, page),
    },
    page.limit,
  );

function condition(shard: string, from: string, { state, connectorId, oldestFirst = false }: ListRequest) {
  const filters = [
    ...(state === null ? [] : ['#state = :state']),
    ...(connectorId === null ? [] : ['connector_id = :connector']),
  ];
  return {
    KeyConditionExpression: `gsi1pk = :shard AND gsi1sk ${oldestFirst ? '>' : '<'} :from`,
    ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
    ...(state !== null && { ExpressionAttributeNames: { '#state': 'state' } }),
    ExpressionAttributeValues: attributes({
      ':shard': shard,
      ':from': from,
      ':state': state ?? undefined,
      ':connector': connectorId ?? undefined,
    }),
  };
}
