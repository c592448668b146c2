import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import type { Order } from '../../domain/graph/order.ts';
import { emptyListing, type Listing, type PastOrder, type RecordedOrder } from '../../domain/graph/scope-store.ts';
import type { Item } from './batch-get.ts';
import { pack, unpack } from './packed.ts';

/** Where listings too long for an item are kept. */
export type ListingStore = {
  /** Under a name that says what it lists: what an order was recorded with is never written over. */
  readonly put: (workspace: WorkspaceId, scope: ScopeId, name: string, listing: Listing) => Promise<string>;
  readonly get: (key: string) => Promise<Listing>;
  readonly remove: (key: string) => Promise<void>;
};

const orderOf = (item: Item) => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  complete: item['complete']?.BOOL ?? false,
  deliveryId: item['delivery']?.S ?? null,
});

export const scopeOrderOf = async (listings: Pick<ListingStore, 'get'>, item: Item): Promise<RecordedOrder> => ({
  ...orderOf(item),
  at: item['at']?.S ?? '',
  retracted: Number(item['retracted']?.N ?? 0),
  warnings: item['warnings'] ? (unpack(item['warnings']) as RecordedOrder['warnings']) : [],
  listing: await listingIn(listings, item),
  also: await Promise.all((item['also']?.L ?? []).map((one) => listingIn(listings, one.M ?? {}))),
});

const listingIn = async (listings: Pick<ListingStore, 'get'>, item: Item): Promise<Listing> =>
  item['listing']?.S ? listings.get(item['listing'].S) : (unpack(item['edges']) as Listing);

/** What an item that is replaced lists stays beside what replaces it. */
export const listedOn = (item: Item): Item =>
  item['listing'] ? { listing: item['listing'] } : { edges: item['edges'] ?? pack(emptyListing) };

/** The objects of listings that an item refers to. */
export const listingKeysOn = (item: Item): string[] =>
  [item, ...(item['also']?.L ?? []).map((one) => one.M ?? {})].flatMap((one) => one['listing']?.S ?? []);

export const pastOrder = (item: Item): PastOrder => {
  const past = orderOf(item);
  const floor = (item['floor']?.S ?? past.order) as Order;
  return { ...past, floor, at: (past.complete ? item['effective_at']?.S : item['at']?.S) ?? null };
};
