import type { NodeId, ScopeId, Urn } from './node.ts';
import type { Micros, Order } from './order.ts';

/** `out`: edges from the node; `in`: edges to it. Every edge is claimed on both sides. */
export type Side = 'out' | 'in';

/** What a claim is about: a neighbour on a side, or a schema of the node itself. */
export type PageSide = Side | 'schema';

export type ScopeKind =
  /** Complete snapshots raise the floor; the order is the count of acceptances. */
  | 'snapshot'
  /** OpenLineage JobEvents and DatasetEvents: each newer event raises the floor; the order is event time. */
  | 'static'
  /** OpenLineage runs: they accumulate, between a first and a last observation. */
  | 'observed';

/** One scope's statement that an edge exists, as a page holds it: `other` is the neighbour on the page's side, or the schema. */
export type Claim =
  | {
      readonly kind: 'snapshot' | 'static';
      readonly other: NodeId;
      readonly scope: ScopeId;
      readonly order: Order;
      /** In history: a claim was live from this order to `order`, with all complete ones between. Absent: it may be live. */
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

export type NodeFacts = {
  readonly aliasOf: readonly Urn[];
  readonly aliases: readonly Urn[];
  readonly renamedTo: readonly { readonly urn: Urn; readonly at: Micros }[];
  /** What the node was called before, and until when. */
  readonly renamedFrom: readonly { readonly urn: Urn; readonly at: Micros }[];
  /** The newest DROP: what OpenLineage stated of the node until then has ended. */
  readonly droppedAt: Micros | null;
};

export const noFacts: NodeFacts = { aliasOf: [], aliases: [], renamedTo: [], renamedFrom: [], droppedAt: null };

export type Page = {
  readonly node: NodeId;
  readonly side: Side;
  readonly number: number;
  readonly claims: readonly Claim[];
};

/** Pages for one pair's observed claims: jobs named anew by each run must not raise the level for other readers. */
const scopeSpread = 256;

/** The page of a level that takes a claim about a neighbour; `scope` is null if it is no observed one. */
export function pageNumber(level: number, other: NodeId, scope: ScopeId | null = null): number {
  if (level === 0) return 0;
  const offset = scope === null ? 0 : hashOf(scope) % scopeSpread;
  return pageAt(level, hashOf(other) + offset);
}

/** The pages with claims about a neighbour, one a level: nothing moves when a level is raised. */
export const pagesOfNeighbour = (level: number, other: NodeId, scope: ScopeId | null = null): number[] =>
  Array.from({ length: level + 1 }, (_, one) => pageNumber(one, other, scope));

/** The same of a claim of a scope, whether or not it was observed. */
export const pagesOfClaim = (level: number, other: NodeId, scope: ScopeId): number[] =>
  level === 0 ? [0] : [...new Set([...pagesOfNeighbour(level, other), ...pagesOfNeighbour(level, other, scope)])];

/** The pages of the levels up to one on which claims about a neighbour may be, whatever their scopes. */
export function pagesAbout(level: number, other: NodeId): number[] {
  const levels = Array.from({ length: level + 1 }, (_, one) => one);
  return levels.flatMap((at) =>
    Array.from({ length: Math.min(scopeSpread, 2 ** at) }, (_, offset) => pageAt(at, hashOf(other) + offset)),
  );
}

const pageAt = (level: number, hash: number): number => 2 ** level - 1 + (hash % 2 ** level);

/** A 32-bit hash of an id. */
function hashOf(id: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16_777_619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}

export const levelOfPage = (page: number): number => 31 - Math.clz32(page + 1);

/** The place for the schemas of a node with a wide side: its item is expensive to write (G-SCHEMA-6). */
export const schemaPage = 1;

/** Whether a side of a node has more pages than its item holds. */
export const isWide = (levels: Readonly<Record<Side, number>>): boolean => levels.in > 0 || levels.out > 0;

export const pageCount = (level: number): number => 2 ** (level + 1) - 1;
