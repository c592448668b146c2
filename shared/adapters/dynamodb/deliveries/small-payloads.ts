import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import { Fault } from '../../../contract/problems.ts';
import { Delivery, type DeliveryPlace } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { SmallPayload } from '../../../domain/lineage/ingest/deliveries/read-payload.ts';
import { Upload, type UploadStore } from '../../../domain/lineage/ingest/uploads/upload.ts';
import type { SmallPayloadQueue } from '../../../domain/operations/sweep/archive-payloads.ts';
import { deliveryKey, deliveryListPartition, dueKey, listedDeliveryKey, uploadKey } from '../keys/delivery-keys.ts';
import { batchWrite } from '../requests/batched-changes.ts';
import { batchedItems, getRecord, type Item, keyAttributes, putItem, withoutDefaults } from '../requests/items.ts';
import { between, queryPages } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';

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
export type RetentionDays = number | null;

const daySeconds = 86_400;

/** In seconds since 1970; null: never. Declarations stand until declared otherwise, so that a rebuild repeats them. */
export function expiryOf(
  delivery: Pick<Delivery, 'kind' | 'has_static_events'>,
  from: string,
  retentionDays: RetentionDays,
): number | null {
  if (retentionDays === null || !isOfRuns(delivery)) return null;
  return Math.ceil(Date.parse(from) / 1_000) + retentionDays * daySeconds;
}

const isOfRuns = ({ kind, has_static_events }: Pick<Delivery, 'kind' | 'has_static_events'>): boolean =>
  (kind === 'openlineage_event' || kind === 'openlineage_batch') && !has_static_events;

export const expiryAttribute = (expiresAt: number | null): { readonly ttl?: AttributeValue } =>
  expiresAt === null ? {} : { ttl: { N: String(expiresAt) } };

const expiryIn = (item: Item): number | null => (item['ttl']?.N ? Number(item['ttl'].N) : null);

/** Null if archived. Bytes never change under their key, so a consistent read is needed only if a copy lacks them. */
export function smallPayloadReader(table: Table): (place: DeliveryPlace) => Promise<Uint8Array | null> {
  const [eventually, consistently] = [batchedItems(table, { consistent: false }), batchedItems(table)];
  return async (place) => {
    const key = listedDeliveryKey(place);
    const bytesIn = (item: Item | null) => (item?.['bytes'] ? bytesOf(item) : null);
    return bytesIn(await eventually(key)) ?? bytesIn(await consistently(key));
  };
}

export const smallPayloadQueue = (table: Table): SmallPayloadQueue => ({
  between: ({ workspace_id, list }, from, to) => {
    const range = between(deliveryListPartition(workspace_id, list), from, to);
    return payloadsIn(queryPages(table, { ...range, FilterExpression: 'attribute_exists(bytes)' }), workspace_id);
  },
  // An entry is its key and its time to live, so that it is written again without having been read: 25 a request.
  remove: (payloads) =>
    batchWrite(
      table,
      payloads.map((payload) => ({
        PutRequest: { Item: { ...keyAttributes(listedDeliveryKey(payload)), ...expiryAttribute(payload.expiresAt) } },
      })),
    ),
});

async function* payloadsIn(
  pages: AsyncIterable<readonly Item[]>,
  workspace_id: WorkspaceId,
): AsyncGenerator<readonly SmallPayload[]> {
  for await (const items of pages) yield items.map((item) => payloadOf(item, workspace_id));
}

function payloadOf(item: Item, workspace_id: WorkspaceId): SmallPayload {
  const [received_at = '', delivery_id = '', digest = ''] = (item['sk']?.S ?? '').split('#');
  return {
    workspace_id,
    delivery_id: delivery_id as DeliveryId,
    received_at,
    digest,
    deflated: bytesOf(item),
    expiresAt: expiryIn(item),
  };
}

function bytesOf(item: Item): Uint8Array {
  const bytes = item['bytes']?.B;
  if (!bytes) throw new Fault('payload_bytes_missing', 'the entry of a small payload has no bytes');
  return bytes;
}

export const uploadStore = (table: Table): UploadStore => ({
  add: async (upload) => {
    const ttl = Math.ceil(Date.parse(upload.complete_before) / 1_000);
    await putItem(table, marshall({ ...uploadKey(upload.workspace_id, upload.upload_id), ...upload, ttl }));
  },
  find: (workspace, id) => getRecord(table, Upload, uploadKey(workspace, id)),
});
