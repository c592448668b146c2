import type { WorkspaceId } from '../../../../contract/ids.ts';
import type { ScopeKind } from '../../../../domain/lineage/graph/claim.ts';
import { type ScopeId, scopeId } from '../../../../domain/lineage/graph/ids.ts';
import { type Order, zeroOrder } from '../../../../domain/lineage/graph/order.ts';
import {
  emptyListing,
  type Listing,
  type PastOrder,
  type RecordedOrder,
  type ScopeHead,
} from '../../../../domain/lineage/graph/scope-store.ts';
import type { Item } from '../../requests/batch-get.ts';
import { pack, unpack } from '../../requests/parts.ts';

export function headOf(item: Item): ScopeHead {
  const text = (name: string) => item[name]?.S ?? null;
  const order = (name: string) => (text(name) ?? zeroOrder) as Order;
  const count = (name: string) => Number(item[name]?.N ?? 0);
  const [scopeKey, floor] = [text('scope_key') ?? '', order('floor')];
  return {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: text('kind') as ScopeKind,
    providerType: text('provider_type') ?? '',
    providerInstanceId: text('provider_instance_id') ?? '',
    order: order('order'),
    floor,
    started: order('started'),
    digest: text('digest'),
    committedAt: text('committed_at'),
    // What raised the floor states all: heads that were written before changes were known have no other.
    listed: [order('listed'), floor].sort().at(-1) ?? floor,
    restatedBy: text('restated_by'),
    removedAt: text('removed_at') as Order | null,
    version: count('version'),
    changes: { orders: count('change_orders'), removals: count('change_removals') },
  };
}

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
