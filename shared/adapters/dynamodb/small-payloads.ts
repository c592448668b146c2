import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../contract/fault.ts';
import type { DeliveryId, WorkspaceId } from '../../contract/ids.ts';
import type { SmallPayload, SmallPayloadPlace } from '../../domain/ingest/deliveries/small-payload.ts';
import type { SmallPayloadList, SmallPayloadQueue } from '../../domain/operations/sweep/archive-payloads.ts';
import type { Item } from './batch-get.ts';
import { batchWrite } from './batch-write.ts';
import { batchedItems } from './batched-items.ts';
import { smallPayloadKey, smallPayloadPartition } from './keys/delivery-keys.ts';
import { queryPages } from './query-all.ts';
import type { Table } from './table.ts';

export const putSmallPayload =
  (table: Table) =>
  async (payload: SmallPayload): Promise<void> => {
    const { pk, sk } = smallPayloadKey(payload);
    const Item = { pk: { S: pk }, sk: { S: sk }, bytes: { B: payload.deflated } };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  };

/** The deflated bytes; null where they are archived. */
export function smallPayloadReader(table: Table): (place: SmallPayloadPlace) => Promise<Uint8Array | null> {
  const read = batchedItems(table);
  return async (place) => {
    const item = await read(smallPayloadKey(place));
    return item && bytesOf(item);
  };
}

/** Small payloads that wait in the table for their archive. */
export const smallPayloadQueue = (table: Table): SmallPayloadQueue => ({
  before: (list, end) => pagesBefore(table, list, end),
  remove: (payloads) =>
    batchWrite(
      table,
      payloads.map((payload) => {
        const { pk, sk } = smallPayloadKey(payload);
        return { DeleteRequest: { Key: { pk: { S: pk }, sk: { S: sk } } } };
      }),
    ),
});

async function* pagesBefore(
  table: Table,
  { workspace_id, list }: SmallPayloadList,
  end: string,
): AsyncGenerator<readonly SmallPayload[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :list AND sk < :end',
    ExpressionAttributeValues: { ':list': { S: smallPayloadPartition(workspace_id, list) }, ':end': { S: end } },
  });
  for await (const items of pages) yield items.map((item) => payloadOf(item, workspace_id));
}

function payloadOf(item: Item, workspace_id: WorkspaceId): SmallPayload {
  const [received_at = '', delivery_id = '', digest = ''] = (item['sk']?.S ?? '').split('#');
  return { workspace_id, delivery_id: delivery_id as DeliveryId, received_at, digest, deflated: bytesOf(item) };
}

function bytesOf(item: Item): Uint8Array {
  const bytes = item['bytes']?.B;
  if (!bytes) throw new Fault('payload_bytes_missing', 'the item of a small payload has no bytes');
  return bytes;
}
