import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import type { ScopeOrder } from '../../domain/graph/scope-store.ts';
import type { Item } from './batch-get.ts';
import { scopeOrderKey } from './keys/graph-keys.ts';
import type { Key } from './keys/key.ts';
import { pack } from './packed.ts';
import { type ListingStore, listedOn } from './scope-order-item.ts';
import type { Table } from './table.ts';
import { type UpdateExpression, updateItem } from './update-item.ts';

/** Listings of more edges are objects of the bucket: an item takes 400 KB, and every read of history would pay for them. */
const maxInlineEdges = 1_000;

/**
 * Records what an order states, before anything of it is claimed. Where another attempt recorded something else, that
 * stays beside it, because it may have been claimed; the record of an order that took effect is left as it is.
 */
export async function recordOrder(
  table: Table,
  listings: ListingStore,
  { workspace, scope }: { readonly workspace: WorkspaceId; readonly scope: ScopeId },
  record: ScopeOrder,
): Promise<void> {
  const { order, content, listing } = record;
  const isInline = listing.edges.length <= maxInlineEdges;
  const values: Record<string, AttributeValue> = {
    ...valuesOf(record),
    ...(isInline
      ? { edges: pack(listing) }
      : { listing: { S: await listings.put(workspace, scope, `${order}-${content}`, listing) } }),
  };
  const key = scopeOrderKey(workspace, scope, order);
  const { refused } = await updateItem(table, key, recording(values, null));
  if (refused !== null) await recordBeside(table, key, values, refused);
}

const valuesOf = ({
  complete,
  at,
  content,
  retracted,
  warnings,
  deliveryId,
}: ScopeOrder): Record<string, AttributeValue> => ({
  complete: { BOOL: complete },
  at: { S: at },
  content: { S: content },
  retracted: { N: String(retracted) },
  ...(deliveryId !== null && { delivery: { S: deliveryId } }),
  ...(warnings.length > 0 && { warnings: pack(warnings) }),
});

/** Another attempt was there: what it listed is moved aside, and nobody's is lost however many there are. */
async function recordBeside(table: Table, key: Key, values: Item, found: Item): Promise<void> {
  if (found['effective_at']) return;
  const { refused } = await updateItem(table, key, recording(values, found));
  if (refused !== null) await recordBeside(table, key, values, refused);
}

function recording(values: Item, replaced: Item | null): UpdateExpression {
  const names = Object.keys(values);
  const other = values['edges'] ? 'listing' : 'edges';
  const sets = names.map((name) => `#${name} = :${name}`);
  const before = replaced?.['content'];
  const isSame =
    replaced === null ? 'content = :content' : before ? 'content = :before' : 'attribute_not_exists(content)';
  return {
    UpdateExpression: `SET ${[...sets, ...(replaced ? ['also = list_append(if_not_exists(also, :none), :also)'] : [])].join(', ')} REMOVE ${other}`,
    // Set and not put: another worker of the same delivery may have retired the order meanwhile.
    ConditionExpression: `attribute_not_exists(effective_at) AND (${replaced === null ? 'attribute_not_exists(pk) OR ' : ''}${isSame})`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, values[name] ?? { NULL: true }])),
      ...(replaced && { ':also': { L: [{ M: listedOn(replaced) }] }, ':none': { L: [] } }),
      ...(before && { ':before': before }),
    },
  };
}
