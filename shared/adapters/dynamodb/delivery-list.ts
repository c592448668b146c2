import type { WorkspaceId } from '../../contract/ids.ts';
import type { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import type { DeliveryFilter, DeliveryPosition } from '../../domain/ingest/deliveries/ports.ts';
import type { Item } from './batch-get.ts';
import { deliveryOf } from './delivery-item.ts';
import { readListed, receiptsAt } from './listed-deliveries.ts';
import type { Table } from './table.ts';

type ListRequest = DeliveryFilter & {
  readonly limit: number;
  readonly after: DeliveryPosition | null;
  readonly oldestFirst?: boolean;
};
type Page = { readonly items: readonly Delivery[]; readonly next: DeliveryPosition | null };

/** Entries that a page looks at: a filter that few receipts pass must not read the whole list. */
const lookedAtMost = 2_000;

/** A page of the workspace's deliveries, newest or oldest first. The list has their places, and the receipts the rest. */
export async function listDeliveries(table: Table, workspace: WorkspaceId, page: ListRequest): Promise<Page> {
  const { limit, oldestFirst = false } = page;
  const isFiltered = page.state !== null || page.connectorId !== null;
  const items: Delivery[] = [];
  let after = page.after;
  for (let looked = 0; ; ) {
    const wanted = isFiltered ? lookedAtMost / 4 : limit - items.length;
    const { listed, next } = await readListed(table, workspace, { after, oldestFirst, wanted, withEarlier: true });
    const receipts = await receiptsAt(table, workspace, listed);
    items.push(...receipts.filter((item) => passes(item, page)).map(deliveryOf));
    if (items.length > limit) return cut(items, limit);
    looked += listed.length;
    after = next;
    if (after === null || items.length === limit || looked >= lookedAtMost) return { items, next: after };
  }
}

/** The next page begins after the last delivery of this one. */
function cut(items: readonly Delivery[], limit: number): Page {
  const kept = items.slice(0, limit);
  const last = kept.at(-1);
  return { items: kept, next: last ? { received_at: last.received_at, delivery_id: last.delivery_id } : null };
}

const passes = (item: Item, { state, connectorId }: DeliveryFilter): boolean =>
  (state === null || item['state']?.S === state) && (connectorId === null || item['connector_id']?.S === connectorId);
