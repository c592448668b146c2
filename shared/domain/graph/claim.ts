import type { Urn } from '../lineage/node.ts';
import type { NodeId, ScopeId } from './ids.ts';
import type { Micros, Order } from './order.ts';

/** `out`: edges from the node; `in`: edges to it. Every edge is claimed on both sides. */
export type Side = 'out' | 'in';

/** How a scope speaks, which decides when its claims are live (`graph.md`, section 2). */
export type ScopeKind =
  /** Complete snapshots raise the floor; the order is the count of acceptances. */
  | 'snapshot'
  /** OpenLineage JobEvents and DatasetEvents: each newer event raises the floor; the order is event time. */
  | 'static'
  /** OpenLineage runs: they accumulate, between a first and a last observation. */
  | 'observed';

/** One scope's word that an edge exists, as it stands in a page: `other` is the neighbour on the page's side. */
export type Claim =
  | {
      readonly kind: 'snapshot' | 'static';
      readonly other: NodeId;
      readonly scope: ScopeId;
      readonly order: Order;
      /** In history one claim stands for all complete orders of its scope from this one to `order`. */
      readonly since?: Order;
    }
  | {
      readonly kind: 'observed';
      readonly other: NodeId;
      readonly scope: ScopeId;
      readonly first: Micros;
      readonly last: Micros;
    };

export type ObservedClaim = Extract<Claim, { readonly kind: 'observed' }>;

/** Facts about a node itself. */
export type NodeFacts = {
  /** Names that this node is an alias of. */
  readonly aliasOf: readonly Urn[];
  /** Names that are aliases of this node. */
  readonly aliases: readonly Urn[];
  /** What the node was renamed to, and when. */
  readonly renamedTo: readonly { readonly urn: Urn; readonly at: Micros }[];
  /** What the node was called before, and until when. */
  readonly renamedFrom: readonly { readonly urn: Urn; readonly at: Micros }[];
  /** The newest DROP: what OpenLineage said of the node until then is over. */
  readonly droppedAt: Micros | null;
};

export const noFacts: NodeFacts = { aliasOf: [], aliases: [], renamedTo: [], renamedFrom: [], droppedAt: null };

/** One page of a node's neighbours on one side. */
export type Page = {
  readonly node: NodeId;
  readonly side: Side;
  readonly number: number;
  readonly claims: readonly Claim[];
};

/** The page of level `level` that takes the claims of a neighbour. */
export function pageNumber(level: number, other: NodeId): number {
  if (level === 0) return 0;
  let hash = 2_166_136_261;
  for (let i = 0; i < other.length; i++) hash = Math.imul(hash ^ other.charCodeAt(i), 16_777_619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return 2 ** level - 1 + ((hash >>> 0) % 2 ** level);
}

/** The level at which a page is written. */
export const levelOfPage = (page: number): number => 31 - Math.clz32(page + 1);

/** How many pages a node of that level has. */
export const pageCount = (level: number): number => 2 ** (level + 1) - 1;
