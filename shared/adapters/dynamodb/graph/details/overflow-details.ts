import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../../../contract/fault.ts';
import type { EdgeDetail } from '../../../../domain/graph/detail-store.ts';
import { contentDigest } from '../../../../domain/graph/ids.ts';
import type { Order } from '../../../../domain/graph/order.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import { edgeDetailPartKey } from '../../keys/graph-keys.ts';
import type { Key } from '../../keys/key.ts';
import { pack, unpack } from '../../packed.ts';
import { deleteParts, maxInlineBytes, partsOf, putParts, readParts } from '../../parts.ts';
import type { Table } from '../../table.ts';
import { updateItem } from '../../update-item.ts';

/** A reader whose parts a newer detail replaced meanwhile looks again so often. */
const maxReads = 5;

/** Keeps the detail of one edge in an item of its own, where none as new is there; a long one in parts that are items. */
export async function putOverflow(table: Table, key: Key, order: Order, detail: EdgeDetail): Promise<void> {
  const packed = pack(detail);
  const isLong = packed.B !== undefined && packed.B.length > maxInlineBytes;
  const apart = isLong ? await putApart(table, key, order, packed.B) : null;
  const { refused, item } = await updateItem(table, key, {
    UpdateExpression: apart
      ? 'SET g = :o, parts = :parts, version = :version REMOVE m'
      : 'SET g = :o, m = :m REMOVE parts, version',
    ConditionExpression: 'attribute_not_exists(g) OR g < :o',
    ExpressionAttributeValues: {
      ':o': { S: order },
      ...(apart ? { ':parts': apart.parts, ':version': apart.version } : { ':m': packed }),
    },
    ReturnValues: 'UPDATED_OLD',
  });
  if (refused === null) await dropParts(table, key, item);
  else if (apart && refused['version']?.S !== apart.version.S) await dropParts(table, key, apart);
}

/** The order is in the version too: content that comes back later must not meet the removal of its first appearance. */
async function putApart(table: Table, key: Key, order: Order, bytes: Uint8Array) {
  const version = contentDigest(`${order} ${Buffer.from(bytes).toString('latin1')}`);
  await putParts(table, bytes, (part) => edgeDetailPartKey(key, version, part));
  return { parts: { N: String(partsOf(bytes)) }, version: { S: version } };
}

/** Removes the parts that an item no longer refers to. */
async function dropParts(table: Table, key: Key, item: Item | null): Promise<void> {
  const version = item?.['version']?.S;
  if (version === undefined) return;
  await deleteParts(table, Number(item?.['parts']?.N ?? 0), (part) => edgeDetailPartKey(key, version, part));
}

/** Forgets the detail of one edge, unless somebody newer than an order has spoken. */
export async function forgetOverflowUpTo(table: Table, key: Key, order: Order): Promise<void> {
  try {
    const answer = await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: { pk: { S: key.pk }, sk: { S: key.sk } },
        ConditionExpression: 'g <= :order',
        ExpressionAttributeValues: { ':order': { S: order } },
        ReturnValues: 'ALL_OLD',
      }),
    );
    await dropParts(table, key, answer.Attributes ?? null);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The detail that an item holds or refers to; null where it was forgotten since its item was read. */
export async function overflowDetailOf(table: Table, read: Item): Promise<EdgeDetail | null> {
  const key = { pk: read['pk']?.S ?? '', sk: read['sk']?.S ?? '' };
  let item: Item | undefined = read;
  for (let attempt = 0; item && attempt < maxReads; attempt++) {
    const version = item['version']?.S;
    if (version === undefined) return unpack(item['m']) as EdgeDetail;
    const bytes = await readParts(table, Number(item['parts']?.N), (part) => edgeDetailPartKey(key, version, part));
    if (bytes) return unpack({ B: bytes }) as EdgeDetail;
    [item] = await batchGet(table, [key], { consistent: true });
  }
  if (item) throw new Fault('detail_changes_too_fast', 'an edge detail changes faster than it can be read');
  return null;
}
