import type { ObservedClaim, Page, PageSide } from './claim.ts';
import type { DetailVersion, EdgeDetail, EdgeInScope } from './derivation.ts';
import type { HasTakenEffect } from './edge-details.ts';
import type { GraphId, NodeId, ScopeId, Urn } from './node.ts';
import type { Micros, Order, RunToken, Span } from './order.ts';
import type { ClaimPlace } from './removals.ts';
import type { Described } from './schema.ts';
import type { RetiredOrder, ScopeIdentity } from './scope-store.ts';

export type Edge = { readonly from: Urn; readonly to: Urn };

/** An edge, and what is known of it beyond its existence. */
export type EdgeStatement = Edge & { readonly detail: EdgeDetail };

/** What a run observed of edges and schemas at a time, or from `since` to it. Each schema occurs once. */
export type Observation = {
  readonly scope: ScopeIdentity;
  readonly at: Micros;
  readonly since?: Micros;
  readonly edges: readonly (Edge & { readonly stated?: DetailVersion })[];
  readonly schemas?: { readonly scope: ScopeIdentity; readonly seen: readonly SeenSchema[] };
  /** What the job reads, if it reports no output. */
  readonly reads?: readonly Urn[];
};

export type SeenSchema = Described & { readonly at: Micros; readonly since?: Micros };

/** Writes claims into the pages of both ends, and what is known of an edge beside the claim of its downstream end. Every write may be repeated, reordered and run concurrently with any other. */
export type ClaimWriter = {
  /** Claims edges under one order of a snapshot or static scope. */
  readonly claim: (
    graph: GraphId,
    claims: {
      readonly kind: 'snapshot' | 'static';
      readonly scope: ScopeId;
      readonly order: Order;
      readonly edges: readonly Edge[];
      readonly described?: readonly Described[];
      /** What is known of edges, of some that are claimed already too. */
      readonly stated?: readonly EdgeStatement[];
      /** If given, readers see what the order replaces until it takes effect. */
      readonly hasTakenEffect?: HasTakenEffect | null;
    },
  ) => Promise<void>;
  /** First and last observation only ever widen. What is seen of one node is one write. */
  readonly observe: (graph: GraphId, observation: Observation) => Promise<void>;
  /** Which of the edges a scope has observed, and when; read consistently. */
  readonly observed: (
    graph: GraphId,
    scope: ScopeId,
    edges: readonly Edge[],
  ) => Promise<readonly { readonly edge: Edge; readonly span: Span }[]>;
  /** Narrows observations of a scope; answers the edges that somebody observed meanwhile, which may be as they were. */
  readonly narrow: (graph: GraphId, scope: ScopeId, narrowings: readonly Narrowing[]) => Promise<readonly Edge[]>;
  /** Forgets what a run stated of edges of an observed scope, if no newer statement has come since; answers which. */
  readonly forgetRun: (
    graph: GraphId,
    scope: ScopeId,
    run: RunToken,
    edges: readonly Edge[],
  ) => Promise<readonly Edge[]>;
  /** Forgets what was stated of edges by that order or an older one. */
  readonly forgetDetails: (graph: GraphId, edges: readonly EdgeInScope[], until: Order) => Promise<void>;
  readonly alias: (graph: GraphId, alias: Urn, canonical: Urn) => Promise<void>;
  readonly rename: (graph: GraphId, from: Urn, to: Urn, at: Micros) => Promise<void>;
  readonly drop: (graph: GraphId, node: Urn, at: Micros) => Promise<void>;
  /** Moves claims below the floor from current pages to history. Claims that `continuesOrder` stated join theirs. */
  readonly prune: (
    graph: GraphId,
    dead: RetiredClaims & {
      readonly continuesOrder: Order | null;
      /** Until which order a claim was live. */
      readonly lastOrder: (place: ClaimPlace, other: NodeId) => Order;
    },
  ) => Promise<void>;
  /** Removes an order's claims from history too, and the pages that nothing is left of. */
  readonly forget: (graph: GraphId, dead: RetiredClaims) => Promise<void>;
  /** Removes observations from one page, except for those that were seen again since it was read; answers which. */
  readonly expireObservations: (
    graph: GraphId,
    page: Pick<Page, 'node' | 'number'> & { readonly side: PageSide },
    observations: readonly ObservedClaim[],
  ) => Promise<readonly ObservedClaim[]>;
};

export type RetiredClaims = Omit<RetiredOrder, 'graph'> & {
  readonly edges: readonly { readonly from: NodeId; readonly to: NodeId }[];
  /** The nodes whose schemas it stated. */
  readonly described: readonly NodeId[];
};

/** What remains of the observation of an edge: what other runs support, or null if none does. */
export type Narrowing = { readonly edge: Edge; readonly remaining: Span | null };
