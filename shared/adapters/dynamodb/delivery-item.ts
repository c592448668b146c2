import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import type { Item } from './batch-get.ts';
import { deliveryKey, dueKey } from './keys/delivery-keys.ts';

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

/** What the schema would not fill in when it reads: a small item is one write unit, in the table and in each index. */
export const withoutDefaults = (values: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => !isDefault(value));

const isDefault = (value: unknown): boolean =>
  value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const deliveryOf = (item: Item): Delivery => v.parse(Delivery, unmarshall(item));

export const attributes = (values: Readonly<Record<string, unknown>>): Record<string, AttributeValue> =>
  marshall(values, { removeUndefinedValues: true });
