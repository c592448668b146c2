import type { Claim, NodeFacts, Page, Side } from './claim.ts';
import type { DetailsByEdge } from './edge-details.ts';
import type { GraphId, NodeId, ScopeId, Urn } from './node.ts';
import type { ScopeIdentity } from './scope-store.ts';

export type NodeRange = { readonly first: NodeId; readonly last: NodeId };

/** Details as a page holds them: themselves, or the name of the item that holds them. */
export type PageDetails = { readonly inline: DetailsByEdge } | { readonly item: string };

/** What a scope knows, beyond their existence, of the edges to a node that it claims on a page. */
type DetailsOnPage = { readonly detailsOf: (scope: ScopeId) => PageDetails | null };

export type DetailedPage = Page & DetailsOnPage;

/** Details of edges to a node that are too long for its page, which names their item. */
export type LongDetails = { readonly to: NodeId; readonly item: string };

/** A node as its item holds it: its name, facts about it, and page 0 of both sides. */
export type GraphNode = DetailsOnPage & {
  readonly node: NodeId;
  readonly urn: Urn;
  readonly facts: NodeFacts;
  /** How far each side is widened: its pages are 0 to 2^(level+1) - 2. */
  readonly levels: Readonly<Record<Side, number>>;
  readonly pages: Readonly<Record<Side, Page>>;
  /** What its item states of its columns: `other` names a schema. */
  readonly schemas: readonly Claim[];
  /** Who claims to have observed edges to the node: not all of them where many do. */
  readonly observers: readonly ScopeIdentity[];
};

/** The history of a node's first pages, stored in its own items. */
export type HistoryNode = Pick<GraphNode, 'node' | 'pages' | 'schemas'>;

type NamedNode = Pick<GraphNode, 'node' | 'urn' | 'facts'>;

export type PageReader = {
  /** Nodes with their first pages; one that is not there is left out. */
  readonly nodes: (graph: GraphId, nodes: readonly NodeId[]) => Promise<GraphNode[]>;
  /** Further pages of wide nodes. */
  readonly morePages: (
    graph: GraphId,
    side: Side,
    pages: readonly { readonly node: NodeId; readonly number: number }[],
  ) => Promise<DetailedPage[]>;
  /** By the names of their items; one that has gone meanwhile is left out. */
  readonly longDetails: (graph: GraphId, places: readonly LongDetails[]) => Promise<ReadonlyMap<string, DetailsByEdge>>;
  /** What is stated of the columns of wide nodes, on their pages of schemas. */
  readonly schemas: (
    graph: GraphId,
    nodes: readonly NodeId[],
    options: { readonly withHistory: boolean },
  ) => Promise<ReadonlyMap<NodeId, readonly Claim[]>>;
  /** The nodes of one shard in the order of their ids, after a node: fewer than `limit` where there are no more. */
  readonly scan: (graph: GraphId, shard: number, after: NodeId | null, limit: number) => Promise<GraphNode[]>;
  /** What all nodes of one shard are called, in the order of their ids; nothing else of them is sent. */
  readonly scanNames: (graph: GraphId, shard: number) => Promise<readonly NamedNode[]>;
  /** What nodes are called, without their claims; one that is not there is left out. */
  readonly names: (graph: GraphId, nodes: readonly NodeId[]) => Promise<NamedNode[]>;
  readonly historyNodes: (graph: GraphId, nodes: readonly NodeId[]) => Promise<HistoryNode[]>;
  readonly scanHistory: (graph: GraphId, nodes: NodeRange) => Promise<HistoryNode[]>;
  readonly historyPages: (
    graph: GraphId,
    side: Side,
    pages: readonly { readonly node: NodeId; readonly number: number }[],
  ) => Promise<Page[]>;
};
