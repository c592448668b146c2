import { noFacts, type Page, type Side } from '../../shared/domain/lineage/graph/claim.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import { type GraphId, type NodeId, nodeId, type Urn } from '../../shared/domain/lineage/graph/node.ts';
import type { Order } from '../../shared/domain/lineage/graph/order.ts';
import type { GraphNode, PageReader } from '../../shared/domain/lineage/graph/page-reader.ts';
import type { SchemaStore } from '../../shared/domain/lineage/graph/schema.ts';
import type { ScopeHead, ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { type EdgeStatement, edgeIds, edgesOf } from '../../shared/domain/lineage/projection/edges.ts';
import { listingOf } from '../../shared/domain/lineage/projection/listing.ts';
import type { GraphReader } from '../../shared/domain/lineage/traversal/graph-view.ts';

/** The graph of one complete snapshot, in memory: what properties of reads are tried on by the hundred. */
export function memoryGraph(
  identity: ScopeIdentity,
  { order, at }: { readonly order: Order; readonly at: string },
  derivations: readonly Derivation[],
) {
  const claims = edgesOf(derivations, { deliveryId: '', observedAt: at, unmappedIsUnknown: false });
  const head: ScopeHead = {
    ...identity,
    order,
    floor: order,
    started: order,
    digest: null,
    committedAt: at,
    ...unchangedSince(order),
  };
  const nodes = nodesOf(identity, order, claims);
  const details = claims.map((claim) => ({ ...edgeIds(claim), scope: identity.scope, order, detail: claim.detail }));
  const record = {
    order,
    complete: true,
    at,
    retracted: 0,
    warnings: [],
    deliveryId: 'd',
    floor: order,
    also: [],
    listing: listingOf(claims),
  };
  return {
    pages: {
      nodes: async (_: GraphId, requested) => requested.flatMap((node) => nodes.get(node) ?? []),
      names: async (_: GraphId, requested) => requested.flatMap((node) => nodes.get(node) ?? []),
      historyNodes: async () => [],
      morePages: async () => [],
      schemas: async () => new Map(),
      historyPages: async () => [],
      scan: async () => [],
      scanNames: async () => [],
      scanHistory: async () => [],
    } satisfies PageReader,
    scopes: {
      heads: async (_: GraphId, scopes) => (scopes.includes(head.scope) ? [head] : []),
      orders: async () => [record],
      history: async () => [record],
      partials: async () => new Map(),
      ends: async () => [],
      ofConnector: async () => [],
    } satisfies GraphReader['scopes'],
    schemas: { get: async () => new Map() } satisfies Pick<SchemaStore, 'get'>,
    details: {
      get: async (_: GraphId, edges) =>
        edges.flatMap(({ from, to }) => details.filter((one) => one.from === from && one.to === to)),
      ofNodes: async () => details,
    } satisfies GraphReader['details'],
  };
}

/** A head whose newest order was loaded as a whole. */
export const unchangedSince = (order: Order) => ({
  listed: order,
  restatedBy: null,
  removedAt: null,
  version: 0,
  changes: { orders: 0, removals: 0 },
});

function nodesOf(
  { scope }: ScopeIdentity,
  order: Order,
  claims: readonly EdgeStatement[],
): ReadonlyMap<NodeId, GraphNode> {
  const pageOf = (urn: Urn, side: Side): Page => ({
    node: nodeId(urn),
    side,
    number: 0,
    claims: claims
      .filter(({ from, to }) => urn === (side === 'out' ? from : to))
      .map(({ from, to }) => ({ kind: 'snapshot', other: nodeId(side === 'out' ? to : from), scope, order })),
  });
  const urns = new Set(claims.flatMap(({ from, to }) => [from, to]));
  return new Map(
    [...urns].map((urn) => {
      const pages = { out: pageOf(urn, 'out'), in: pageOf(urn, 'in') };
      const levels = { out: 0, in: 0 };
      return [nodeId(urn), { node: nodeId(urn), urn, facts: noFacts, levels, pages, schemas: [], observers: [] }];
    }),
  );
}
