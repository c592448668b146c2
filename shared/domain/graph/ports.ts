import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { StatementKind } from '../../contract/vocabulary.ts';
import type { Claim, NodeFacts, ObservedClaim, Page, PageSide, ScopeKind, Side } from './claim.ts';
import type { ColumnMapping, Unresolved } from './derivation.ts';
import type { NodeId, ScopeId } from './ids.ts';
import type { Urn } from './node.ts';
import type { Micros, Order, RunToken } from './order.ts';
import type { Described } from './schema.ts';

export type Edge = { readonly from: Urn; readonly to: Urn };

/** What a run observed of edges at a time, and its feed of schemas, each schema once and at a time of its own. */
export type Observation = {
  readonly scope: ScopeIdentity;
  readonly at: Micros;
  readonly edges: readonly Edge[];
  readonly schemas?: { readonly scope: ScopeIdentity; readonly seen: readonly SeenSchema[] };
};

export type SeenSchema = Described & { readonly at: Micros };

/** Writes claims into the pages of both ends. Every write may be repeated, reordered and run beside any other. */
export type ClaimWriter = {
  /** Claims edges under one order of a snapshot or static scope. */
  readonly claim: (
    workspace: WorkspaceId,
    claims: {
      readonly kind: 'snapshot' | 'static';
      readonly scope: ScopeId;
      readonly order: Order;
      readonly edges: readonly Edge[];
      readonly described?: readonly Described[];
    },
  ) => Promise<void>;
  /**
   * Records that observed scopes saw edges and schemas: first and last observation only ever widen. What is seen of one
   * node is one write.
   */
  readonly observe: (workspace: WorkspaceId, observation: Observation) => Promise<void>;
  /** Which of the edges a scope has observed, and when; read consistently. */
  readonly observed: (
    workspace: WorkspaceId,
    scope: ScopeId,
    edges: readonly Edge[],
  ) => Promise<readonly { readonly edge: Edge; readonly span: Span }[]>;
  /** Narrows observations of a scope; answers the edges that somebody observed meanwhile, which may be as they were. */
  readonly narrow: (
    workspace: WorkspaceId,
    scope: ScopeId,
    narrowings: readonly Narrowing[],
  ) => Promise<readonly Edge[]>;
  readonly alias: (workspace: WorkspaceId, alias: Urn, canonical: Urn) => Promise<void>;
  readonly rename: (workspace: WorkspaceId, from: Urn, to: Urn, at: Micros) => Promise<void>;
  readonly drop: (workspace: WorkspaceId, node: Urn, at: Micros) => Promise<void>;
  /**
   * Makes history of the claims of an order below its scope's floor: they leave the pages that reads of today look at.
   * What `continuesOrder` stated already is joined to its history.
   */
  readonly prune: (
    workspace: WorkspaceId,
    dead: RetiredClaims & { readonly continuesOrder: Order | null },
  ) => Promise<void>;
  /** Removes an order's claims from history too, and the pages that nothing is left of. */
  readonly forget: (workspace: WorkspaceId, dead: RetiredClaims) => Promise<void>;
  /** Removes observations from one page, but for those that were seen again since it was read; answers which. */
  readonly expireObservations: (
    workspace: WorkspaceId,
    page: Pick<Page, 'node' | 'number'> & { readonly side: PageSide },
    observations: readonly ObservedClaim[],
  ) => Promise<readonly ObservedClaim[]>;
};

/** What one dead order claimed. */
export type RetiredClaims = {
  readonly kind: 'snapshot' | 'static';
  readonly scope: ScopeId;
  readonly order: Order;
  readonly edges: readonly { readonly from: NodeId; readonly to: NodeId }[];
  /** The nodes of which it stated schemas. */
  readonly described: readonly NodeId[];
};

/** What remains of the observation of an edge: what other runs support, or null where none does. */
export type Narrowing = { readonly edge: Edge; readonly remaining: Span | null };

export type Span = { readonly first: Micros; readonly last: Micros };

/** Nodes of one shard, in the order of their ids; both ends are in it. */
export type NodeRange = { readonly first: NodeId; readonly last: NodeId };
/** A node as its item holds it: its name, facts about it, and page 0 of both sides. */
export type GraphNode = {
  readonly node: NodeId;
  readonly urn: Urn;
  readonly facts: NodeFacts;
  /** How far each side is widened: its pages are 0 to 2^(level+1) - 2. */
  readonly levels: Readonly<Record<Side, number>>;
  readonly pages: Readonly<Record<Side, Page>>;
  /** What is stated of its columns: `other` names a schema. */
  readonly schemas: readonly Claim[];
  /** Who claims to have observed edges to the node: not all of them where many do. */
  readonly observers: readonly ScopeIdentity[];
};

/** The history of a node's first pages, stored beside them. */
export type HistoryNode = Pick<GraphNode, 'node' | 'pages' | 'schemas'>;

export type PageReader = {
  /** Nodes with their first pages; one that is not there is left out. */
  readonly nodes: (workspace: WorkspaceId, nodes: readonly NodeId[]) => Promise<GraphNode[]>;
  /** Further pages of wide nodes. */
  readonly morePages: (
    workspace: WorkspaceId,
    side: Side,
    pages: readonly { readonly node: NodeId; readonly number: number }[],
  ) => Promise<Page[]>;
  /** The nodes of one shard in the order of their ids, after a node. */
  readonly scan: (workspace: WorkspaceId, shard: number, after: NodeId | null, limit: number) => Promise<GraphNode[]>;
  /** What nodes are called, without their claims; one that is not there is left out. */
  readonly names: (
    workspace: WorkspaceId,
    nodes: readonly NodeId[],
  ) => Promise<Pick<GraphNode, 'node' | 'urn' | 'facts'>[]>;
  readonly historyNodes: (workspace: WorkspaceId, nodes: readonly NodeId[]) => Promise<HistoryNode[]>;
  /** The history beside some nodes of one shard. */
  readonly scanHistory: (workspace: WorkspaceId, nodes: NodeRange) => Promise<HistoryNode[]>;
  /** The history beside further pages. */
  readonly historyPages: (
    workspace: WorkspaceId,
    side: Side,
    pages: readonly { readonly node: NodeId; readonly number: number }[],
  ) => Promise<Page[]>;
};

/** Whose statements a scope holds; never changes once it is known. */
export type ScopeIdentity = {
  readonly scope: ScopeId;
  readonly scopeKey: string;
  readonly kind: ScopeKind;
  readonly providerType: string;
  readonly providerInstanceId: string;
};

/** How far a snapshot or static scope has come. */
export type ScopeHead = ScopeIdentity & {
  /** The newest order that took effect. */
  readonly order: Order;
  /** Claims of orders below it are dead. */
  readonly floor: Order;
  /** The newest order of any load begun. */
  readonly started: Order;
  /** Digest of the content of `order`, where it was a complete snapshot. */
  readonly digest: string | null;
  /** When `order` took effect. */
  readonly committedAt: string | null;
};

/**
 * The edges that one order of a scope claimed: what a newer snapshot retracts is the difference of two listings,
 * and pruning removes exactly what is listed.
 */
export type Listing = {
  readonly version: 1;
  /** In order of first use. */
  readonly nodes: readonly NodeId[];
  /** [from, to, whether columns are mapped] by position in `nodes`. */
  readonly edges: readonly (readonly [number, number, 0 | 1])[];
  /** The nodes of which schemas are stated, by position. */
  readonly described?: readonly number[];
};

/** One order of a scope, kept as history. */
export type ScopeOrder = {
  readonly order: Order;
  /** A complete order raised the floor to itself; a partial one only added. */
  readonly complete: boolean;
  /** When its load began. */
  readonly at: string;
  readonly listing: Listing;
  /** How much evidence it retracted. */
  readonly retracted: number;
  /** Its warnings: a load that is repeated gives them again. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Whose bytes say all of it; null of orders that were recorded before this was. */
  readonly deliveryId: string | null;
};

/** One order of a scope without its listing. */
export type PastOrder = Pick<ScopeOrder, 'order' | 'complete' | 'deliveryId'> & {
  /** When it took effect: a partial order as its load begins, a complete one by its commit; null where it never did. */
  readonly at: string | null;
};

/** An order below its scope's floor, whose claims wait to be pruned. */
export type RetiredOrder = {
  readonly workspace: WorkspaceId;
  readonly scope: ScopeId;
  readonly kind: 'snapshot' | 'static';
  readonly order: Order;
};

export type ScopeStore = {
  /** Registers a scope; nothing happens where it is known. */
  readonly register: (workspace: WorkspaceId, identity: ScopeIdentity) => Promise<void>;
  readonly heads: (
    workspace: WorkspaceId,
    scopes: readonly ScopeId[],
    options?: { readonly consistent?: boolean },
  ) => Promise<ScopeHead[]>;
  /** The heads of the snapshot scopes of a connector in the order of their keys, at most `limit`; moments late. */
  readonly ofConnector: (workspace: WorkspaceId, connector: ConnectorId, limit: number) => Promise<ScopeHead[]>;
  /** Says that a load of that order begins: from then on an unchanged snapshot may not be skipped below it. */
  readonly start: (workspace: WorkspaceId, scope: ScopeId, order: Order) => Promise<void>;
  /** Makes a complete order the scope's content and retracts all older claims, in one step; false where a newer one came first. */
  readonly commit: (
    workspace: WorkspaceId,
    scope: ScopeId,
    commit: { readonly order: Order; readonly digest: string | null; readonly at: string },
  ) => Promise<boolean>;
  /** Takes the order over without new claims, where the content is that of the last commit and nothing was begun since. */
  readonly commitUnchanged: (
    workspace: WorkspaceId,
    scope: ScopeId,
    commit: { readonly order: Order; readonly digest: string; readonly at: string },
  ) => Promise<boolean>;
  readonly recordOrder: (workspace: WorkspaceId, scope: ScopeId, order: ScopeOrder) => Promise<void>;
  /** One order; null where it was never begun, or is forgotten. */
  readonly recorded: (workspace: WorkspaceId, scope: ScopeId, order: Order) => Promise<ScopeOrder | null>;
  /** The complete order that took effect right before this one, where this one is complete and took effect. */
  readonly predecessor: (workspace: WorkspaceId, scope: ScopeId, order: Order) => Promise<Order | null>;
  /** Orders from `from` on, oldest first. */
  readonly orders: (workspace: WorkspaceId, scope: ScopeId, from: Order) => Promise<ScopeOrder[]>;
  /** Orders from `from` on without their listings. */
  readonly history: (workspace: WorkspaceId, scope: ScopeId, from: Order) => Promise<PastOrder[]>;
  /** When the loads of some orders began. */
  readonly begunAt: (
    workspace: WorkspaceId,
    scope: ScopeId,
    orders: readonly Order[],
  ) => Promise<ReadonlyMap<Order, string>>;
  /** Puts orders that fell below the floor up for pruning: those pruned before only where `again` is true. */
  readonly retire: (dead: readonly RetiredOrder[], retirement: { at: string; again?: boolean }) => Promise<void>;
  /** Orders up for pruning, some at a time, those retired first first. Read from an index: moments late. */
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

/** What one scope knows of one edge beyond its existence. */
export type EdgeDetail = {
  readonly producer: { readonly namespace: string; readonly name: string };
  readonly deliveryId: string;
  /** JSON pointer into the delivery's payload. */
  readonly location: string;
  readonly observedAt: string;
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
  /** In lower case; absent where nothing names one. */
  readonly engine?: string;
  readonly columns: readonly EdgeColumn[];
  /** Why columns are not, or not all, known. */
  readonly unresolved: readonly Unresolved[];
};

export type EdgeColumn = Omit<ColumnMapping, 'input'>;

export type EdgeInScope = { readonly from: NodeId; readonly to: NodeId; readonly scope: ScopeId };

export type DetailStore = {
  /** Keeps the detail of the newest order; an older one that comes late changes nothing. */
  readonly put: (
    workspace: WorkspaceId,
    details: readonly (EdgeInScope & { readonly order: Order; readonly detail: EdgeDetail })[],
  ) => Promise<void>;
  /** Forgets what a run stated of edges of an observed scope, where no newer statement has come since; answers which. */
  readonly forget: (
    workspace: WorkspaceId,
    scope: ScopeId,
    run: RunToken,
    edges: readonly Edge[],
  ) => Promise<readonly Edge[]>;
  readonly get: (
    workspace: WorkspaceId,
    edges: readonly EdgeInScope[],
  ) => Promise<(EdgeInScope & { readonly detail: EdgeDetail })[]>;
  /** The details of all edges to some nodes of one shard, also of edges that are no longer live. */
  readonly ofNodes: (
    workspace: WorkspaceId,
    nodes: NodeRange,
  ) => Promise<(EdgeInScope & { readonly detail: EdgeDetail })[]>;
  /** Removes the details that are of that order or an older one. */
  readonly forgetUpTo: (workspace: WorkspaceId, edges: readonly EdgeInScope[], order: Order) => Promise<void>;
};
