import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { Delivery } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import { deliveryKey, dueKey } from '../keys/delivery-keys.ts';
import { type Item, withoutDefaults } from '../requests/batch-get.ts';

/** An open delivery as an item, with its due time where it has one. */
export function itemOf(delivery: Delivery, dueAt: string | null): Item {
  const { workspace_id, delivery_id } = delivery;
  return marshall({
    ...deliveryKey(workspace_id, delivery_id),
    ...(dueAt !== null && dueKey(workspace_id, delivery_id, dueAt)),
    ...Object.fromEntries(withoutDefaults(delivery)),
    payload: Object.fromEntries(withoutDefaults(delivery.payload)),
  });
}

export const deliveryOf = (item: Item): Delivery => v.parse(Delivery, unmarshall(item));

/** For how many days receipts of run events are kept; null: for ever. */
export type KeptDays = number | null;

const daySeconds = 86_400;

/**
 * When DynamoDB may remove what is kept of a delivery, in seconds since 1970; null: never. What is declared, by documents
 * or events without a run, stands until it is declared otherwise: the graph could not be made again without it.
 * @param from the time from which the days run
 */
export function expiryOf(
  delivery: Pick<Delivery, 'kind' | 'has_static_events'>,
  from: string,
  keptDays: KeptDays,
): number | null {
  if (keptDays === null || !isOfRuns(delivery)) return null;
  return Math.ceil(Date.parse(from) / 1_000) + keptDays * daySeconds;
}

const isOfRuns = ({ kind, has_static_events }: Pick<Delivery, 'kind' | 'has_static_events'>): boolean =>
  (kind === 'openlineage_event' || kind === 'openlineage_batch') && !has_static_events;

/** The attribute by which the table removes an item, where it is to go. */
export const expiryAttribute = (expiresAt: number | null): { readonly ttl?: AttributeValue } =>
  expiresAt === null ? {} : { ttl: { N: String(expiresAt) } };

/** When the item goes; null: never. */
export const expiryIn = (item: Item): number | null => (item['ttl']?.N ? Number(item['ttl'].N) : null);
