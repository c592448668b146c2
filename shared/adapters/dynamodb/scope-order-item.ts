import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import type { Order } from '../../domain/graph/order.ts';
import type { Listing, PastOrder, ScopeOrder } from '../../domain/graph/ports.ts';
import type { Item } from './batch-get.ts';
import { unpack } from './packed.ts';

/** Where listings too long for an item are kept. */
export type ListingStore = {
  readonly put: (workspace: WorkspaceId, scope: ScopeId, order: Order, listing: Listing) => Promise<string>;
  readonly get: (key: string) => Promise<Listing>;
  readonly remove: (key: string) => Promise<void>;
};

const orderOf = (item: Item) => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  complete: item['complete']?.BOOL ?? false,
  deliveryId: item['delivery']?.S ?? null,
});

export const scopeOrderOf = async (listings: ListingStore, item: Item): Promise<ScopeOrder> => ({
  ...orderOf(item),
  at: item['at']?.S ?? '',
  retracted: Number(item['retracted']?.N ?? 0),
  warnings: item['warnings'] ? (unpack(item['warnings']) as ScopeOrder['warnings']) : [],
  listing: item['listing']?.S ? await listings.get(item['listing'].S) : (unpack(item['edges']) as Listing),
});

export const pastOrder = (item: Item): PastOrder => {
  const past = orderOf(item);
  return { ...past, at: (past.complete ? item['effective_at']?.S : item['at']?.S) ?? null };
};
