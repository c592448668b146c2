import { beginningOf } from '../../../contract/fields.ts';
import type { ConnectorId } from '../../../contract/ids.ts';
import { memoised } from '../../base/caching.ts';
import type { ScopeKind } from './claim.ts';
import { type GraphId, type NodeId, type ScopeId, scopeId } from './node.ts';
import type { Order } from './order.ts';
import type { SchemaId } from './schema.ts';

/** Whose statements a scope holds; never changes once it is known. */
export type ScopeIdentity = {
  readonly scope: ScopeId;
  readonly scopeKey: string;
  readonly kind: ScopeKind;
  readonly providerType: string;
  readonly providerInstanceId: string;
};

/** Evidence is one provider's: two that report one job do not replace each other's statements. */
export function scopeOfProvider<K extends 'observed' | 'static'>(
  providerInstanceId: string,
  kind: K,
  key: string,
): ScopeIdentity & { readonly kind: K } {
  const scopeKey = `provider:${providerInstanceId}:${key}`;
  // Whatever the feed's key is registered with: that is read (G-FEED-1).
  return { scope: scopeId(scopeKey), scopeKey, kind, providerType: 'openlineage', providerInstanceId };
}

/** A feed's statements about columns are one scope for all jobs that report them: the newest holds. */
export const schemasScopeOf = memoised(1_000, (providerInstanceId: string) =>
  scopeOfProvider(providerInstanceId, 'observed', 'schemas'),
);

/** Where a scope is in the list of its graph. */
export const scopePlace = ({ scopeKey, scope }: Pick<ScopeIdentity, 'scopeKey' | 'scope'>): string =>
  `${beginningOf(scopeKey, 200)}#${scope}`;

export type ScopeHead = ScopeIdentity & {
  /** The newest order that took effect. */
  readonly order: Order;
  /** Claims of orders below it are dead. */
  readonly floor: Order;
  /** The newest order of any load begun. */
  readonly started: Order;
  /** Digest of the content of `order`, if it was a complete snapshot. */
  readonly digest: string | null;
  /** When `order` took effect. */
  readonly committedAt: string | null;
  /** The order whose record lists the content of `order`: an unchanged snapshot is not listed again. */
  readonly listed: Order;
  /** Whose bytes `order` represents, if it is later than `listed`: what it states of lineage is unchanged, its text may not be. */
  readonly restatedBy: string | null;
  /** The newest order since the floor that took claims away by name; null if none did. */
  readonly removedAt: Order | null;
  /** Rises with every load that begins or takes effect. */
  readonly version: number;
  /** Since the floor: how many orders took effect as changes, and how many claims they took away. */
  readonly changes: { readonly orders: number; readonly removals: number };
};

/** The edges of one order: two listings give a snapshot's difference, and pruning removes exactly what is listed. */
export type Listing = {
  readonly version: 1;
  /** In order of first use. */
  readonly nodes: readonly NodeId[];
  /** [from, to, whether columns are mapped] by position in `nodes`. */
  readonly edges: readonly (readonly [number, number, 0 | 1])[];
  readonly described?: readonly number[];
  /** The schemas of `described`. */
  readonly schemas?: readonly SchemaId[];
  /** [to, digest of all that is stated of the edges to it] by position; absent if the listing names claims only. */
  readonly digests?: readonly (readonly [number, string])[];
};

/** Of an order that states nothing. */
export const emptyListing: Listing = { version: 1, nodes: [], edges: [] };

/** How many relations a complete order changed, and how many columns it removed. */
export type ContentChanges = { readonly relations: number; readonly columns_removed: number };

export type ScopeOrder = {
  readonly order: Order;
  /** A complete order raised the floor to itself; a partial one only added. */
  readonly complete: boolean;
  readonly at: string;
  readonly listing: Listing;
  /** Digest of its statements: another worker of the same order may have read its delivery otherwise. */
  readonly content: string;
  /** How much evidence it retracted. */
  readonly retracted: number;
  /** Null for a partial order, whose changes are unknown. */
  readonly changes?: ContentChanges | null;
  /** Its warnings: a load that is repeated gives them again. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** The delivery whose bytes state all of it. */
  readonly deliveryId: string;
};

export type RecordedOrder = Omit<ScopeOrder, 'content'> & {
  /** What earlier attempts to load the order stated otherwise, and may have claimed. */
  readonly also: readonly Listing[];
};

export type PastOrder = Pick<ScopeOrder, 'order' | 'complete' | 'deliveryId'> & {
  /** The floor that held with it, of a complete order. */
  readonly floor: Order;
  /** When it took effect: a partial order as its load begins, a complete one by its commit; null if it never did. */
  readonly at: string | null;
};

/** An order below its scope's floor, whose claims wait to be pruned. */
export type RetiredOrder = {
  readonly graph: GraphId;
  readonly scope: ScopeId;
  readonly kind: 'snapshot' | 'static';
  readonly order: Order;
};

/** What a complete order ended when it took effect. */
export type OrderEnd = {
  readonly order: Order;
  /** The complete order that held until then, and its floor. */
  readonly before: Order;
  readonly floor: Order;
  /** The claims that it took away by name; null if it raised the floor and so took away all. */
  readonly removed: Listing | null;
};

export type Commit = {
  readonly order: Order;
  readonly at: string;
  /** Digest of the content, as the order's record has it: the commit is refused where another worker recorded another. */
  readonly content: string;
  /** What ends with it; null of a scope whose orders end with the next one in any case. */
  readonly end: OrderEnd | null;
  /** The version of the head that a change was made against; null of a load that states all, and raises the floor. */
  readonly against: number | null;
};

export type ScopeStore = {
  /** Registers a scope; nothing happens where it is known. */
  readonly register: (graph: GraphId, identity: ScopeIdentity) => Promise<void>;
  readonly heads: (
    graph: GraphId,
    scopes: readonly ScopeId[],
    options?: { readonly consistent?: boolean },
  ) => Promise<ScopeHead[]>;
  /** The heads of the snapshot scopes of a connector in the order of their keys, at most `limit`; moments late. */
  readonly ofConnector: (graph: GraphId, connector: ConnectorId, limit: number) => Promise<ScopeHead[]>;
  /** The heads of scopes whose keys begin with a prefix, in the order of their places, after one; moments late. */
  readonly listed: (
    graph: GraphId,
    range: { readonly prefix: string; readonly after: string | null; readonly limit: number },
  ) => Promise<ScopeHead[]>;
  /** Begins a recorded load: no order can be a change of the former state from then on. Null if it has taken effect. */
  readonly begin: (graph: GraphId, scope: ScopeId, order: Order) => Promise<ScopeHead | null>;
  /** Commits a complete order and retracts what it ends in one step; false if the scope is not as it was. */
  readonly commit: (graph: GraphId, scope: ScopeId, commit: Commit) => Promise<boolean>;
  /** Takes the order over without new claims, if the content is that of the last commit and nothing was begun since. */
  readonly commitUnchanged: (
    graph: GraphId,
    scope: ScopeId,
    commit: { readonly order: Order; readonly digest: string; readonly at: string; readonly deliveryId: string },
  ) => Promise<boolean>;
  readonly recordOrder: (graph: GraphId, scope: ScopeId, order: ScopeOrder) => Promise<void>;
  /** One order; null if it was never begun, or is forgotten. */
  readonly recorded: (graph: GraphId, scope: ScopeId, order: Order) => Promise<RecordedOrder | null>;
  /** What orders ended, oldest first: those after `after`, up to `until` or else to the first that ended all. */
  readonly ends: (
    graph: GraphId,
    scope: ScopeId,
    range: {
      readonly after: Order;
      readonly until: Order | null;
      /** Version of the head that gave the range: under one version the answer is the same. */
      readonly version?: number;
    },
  ) => Promise<readonly OrderEnd[]>;
  /** The complete order that took effect right before this one, if this one is complete and took effect. */
  readonly predecessor: (graph: GraphId, scope: ScopeId, order: Order) => Promise<Order | null>;
  /** Orders from `from` on, oldest first. */
  readonly orders: (graph: GraphId, scope: ScopeId, from: Order) => Promise<RecordedOrder[]>;
  /** Orders from `from` on without their listings. */
  readonly history: (graph: GraphId, scope: ScopeId, from: Order) => Promise<PastOrder[]>;
  /** Which of some orders are partial, and when their loads began. */
  readonly partials: (graph: GraphId, scope: ScopeId, orders: readonly Order[]) => Promise<ReadonlyMap<Order, string>>;
  /** Puts orders that fell below the floor up for pruning: those pruned before only if `again` is true. */
  readonly retire: (dead: readonly RetiredOrder[], retirement: { at: string; again?: boolean }) => Promise<void>;
  /** Orders up for pruning, some at a time, the first retired first. Read from an index: moments late. */
  readonly retired: () => AsyncIterable<readonly RetiredOrder[]>;
  /** Says that an order's claims are history, to be forgotten at a time. */
  readonly pruned: (dead: RetiredOrder, forgetAt: string) => Promise<void>;
  /** Takes an order that is not dead out of those up for pruning. */
  readonly unretire: (order: RetiredOrder) => Promise<void>;
  /** Orders whose history is to be forgotten by a time, some at a time. */
  readonly expired: (now: string) => AsyncIterable<readonly RetiredOrder[]>;
  /** Removes what is left of an order: its record and its listing. */
  readonly forget: (dead: RetiredOrder) => Promise<void>;
};
