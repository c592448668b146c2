import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { lruCache } from '../../../../domain/base/caching.ts';
import {
  GraphRecord,
  type GraphRecords,
  type NamesReader,
  namesOf,
} from '../../../../domain/lineage/generations/graph-record.ts';
import type { ScopeKind } from '../../../../domain/lineage/graph/claim.ts';
import { type GraphId, type ScopeId, scopeId } from '../../../../domain/lineage/graph/node.ts';
import { type Order, zeroOrder } from '../../../../domain/lineage/graph/order.ts';
import type { ContentChanges } from '../../../../domain/lineage/graph/scope-store.ts';
import {
  emptyListing,
  type Listing,
  type OrderEnd,
  type PastOrder,
  type RecordedOrder,
  type ScopeHead,
  type ScopeStore,
} from '../../../../domain/lineage/graph/scope-store.ts';
import type { Registry } from '../../../../domain/workspaces/access/records.ts';
import { scopeEndKey } from '../../keys/graph-keys.ts';
import { type Key, rewriteIndex } from '../../keys/registry-keys.ts';
import { attributes, type Item } from '../../requests/items.ts';
import { pack, unpack } from '../../requests/parts.ts';
import { between, dueItems, queryAll } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';

export const claimsEnded = ({ removed }: OrderEnd): number =>
  removed === null ? 0 : removed.edges.length + (removed.described?.length ?? 0);

/** Whether there was nothing before the order, or all of it lives on. */
export const endsNothing = (end: OrderEnd): boolean =>
  end.before === zeroOrder || (end.removed !== null && claimsEnded(end) === 0);

/** The item with the claims that a complete order ended. Immutable. */
export const endItem = (table: Table, key: Key, { before, floor, removed }: OrderEnd): TransactWriteItem => ({
  Put: {
    TableName: table.name,
    Item: { ...attributes({ ...key, before, floor }), ...(removed !== null && { removed: pack(removed) }) },
  },
});

const endOf = (item: Item): OrderEnd => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  before: (item['before']?.S ?? '') as Order,
  floor: (item['floor']?.S ?? '') as Order,
  removed: item['removed'] ? (unpack(item['removed']) as Listing) : null,
});

/** Claims and orders together, about 10 MiB: each version of a head has its own list, and lists grow until they are pruned. */
const endsCached = 50_000;
const sizeOf = (ends: readonly OrderEnd[]): number => ends.reduce((sum, end) => sum + 1 + claimsEnded(end), 1);

/** What orders ended; what was requested under a version of a head is kept by the process. */
export function scopeEnds(table: Table): ScopeStore['ends'] {
  const known = lruCache<string, readonly OrderEnd[]>(endsCached, sizeOf);
  return async (graph, scope, { after, until, version }) => {
    const name = `${graph} ${scope} ${version} ${after} ${until}`;
    const remembered = known.get(name);
    if (remembered) return remembered;
    const { pk, sk } = scopeEndKey(graph, scope, after);
    const last = until === null ? 'E#~' : scopeEndKey(graph, scope, until).sk;
    const found: OrderEnd[] = [];
    for await (const item of queryAll(table, { ...between(pk, sk, last), ConsistentRead: true })) {
      const end = endOf(item);
      if (end.order <= after) continue;
      found.push(end);
      if (until === null && end.removed === null) break;
    }
    if (version !== undefined) known.set(name, found);
    return found;
  };
}

export function headOf(item: Item): ScopeHead {
  const text = (name: string) => item[name]?.S ?? null;
  const order = (name: string) => (text(name) ?? zeroOrder) as Order;
  const count = (name: string) => Number(item[name]?.N ?? 0);
  const scopeKey = text('scope_key') ?? '';
  return {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: text('kind') as ScopeKind,
    providerType: text('provider_type') ?? '',
    providerInstanceId: text('provider_instance_id') ?? '',
    order: order('order'),
    floor: order('floor'),
    started: order('started'),
    digest: text('digest'),
    committedAt: text('committed_at'),
    listed: order('listed'),
    restatedBy: text('restated_by'),
    removedAt: text('removed_at') as Order | null,
    version: count('version'),
    changes: { orders: count('change_orders'), removals: count('change_removals') },
  };
}

export type ListingStore = {
  /** Under a name that says what it lists: what an order was recorded with is never written over. */
  readonly put: (graph: GraphId, scope: ScopeId, name: string, listing: Listing) => Promise<string>;
  readonly get: (key: string) => Promise<Listing>;
  readonly remove: (key: string) => Promise<void>;
};

const orderOf = (item: Item) => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  complete: item['complete']?.BOOL ?? false,
  deliveryId: item['delivery']?.S ?? '',
});

export const scopeOrderOf = async (listings: Pick<ListingStore, 'get'>, item: Item): Promise<RecordedOrder> => ({
  ...orderOf(item),
  at: item['at']?.S ?? '',
  retracted: Number(item['retracted']?.N ?? 0),
  changes: item['changes'] ? (unpack(item['changes']) as ContentChanges) : null,
  warnings: item['warnings'] ? (unpack(item['warnings']) as RecordedOrder['warnings']) : [],
  listing: await listingIn(listings, item),
  also: await Promise.all((item['also']?.L ?? []).map((one) => listingIn(listings, one.M ?? {}))),
});

const listingIn = async (listings: Pick<ListingStore, 'get'>, item: Item): Promise<Listing> =>
  item['listing']?.S ? listings.get(item['listing'].S) : (unpack(item['edges']) as Listing);

export const listedOn = (item: Item): Item =>
  item['listing'] ? { listing: item['listing'] } : { edges: item['edges'] ?? pack(emptyListing) };

export const listingKeysOn = (item: Item): string[] =>
  [item, ...(item['also']?.L ?? []).map((one) => one.M ?? {})].flatMap((one) => one['listing']?.S ?? []);

export const pastOrder = (item: Item): PastOrder => {
  const past = orderOf(item);
  const floor = (item['floor']?.S ?? past.order) as Order;
  return { ...past, floor, at: (past.complete ? item['effective_at']?.S : item['at']?.S) ?? null };
};

/** The steps of rewriting names, over the registry's records and the due index. */
export const graphRecords = (table: Table, { graphs, commit }: Pick<Registry, 'graphs' | 'commit'>): GraphRecords => ({
  find: (workspace_id) => graphs.find({ workspace_id }),
  advance: (found, to) => commit([graphs.replace(found, to)]),
  due: async (now, limit) =>
    (await dueItems(table, rewriteIndex, now, limit)).map((item) => v.parse(GraphRecord, unmarshall(item))),
});

type Named = {
  readonly connectors: Pick<Registry['connectors'], 'list'>;
  readonly graphs: Pick<Registry['graphs'], 'find'>;
};

/** Reads the names of a workspace as its graph has them. */
export const namesReader =
  ({ connectors, graphs }: Named): NamesReader =>
  async (workspace_id, alongside = async () => {}) => {
    const listed = await connectors.list(workspace_id);
    const [found] = await Promise.all([graphs.find({ workspace_id }), alongside(listed.map(({ id }) => id))]);
    return namesOf(listed, found?.record ?? null);
  };
