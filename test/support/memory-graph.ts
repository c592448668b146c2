import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { noFacts, type Page, type Side } from '../../shared/domain/graph/claim.ts';
import { nodeId } from '../../shared/domain/graph/ids.ts';
import type { Order } from '../../shared/domain/graph/order.ts';
import type { DetailStore, PageReader, ScopeHead, ScopeIdentity, ScopeStore } from '../../shared/domain/graph/ports.ts';
import type { Derivation } from '../../shared/domain/lineage/derivation.ts';
import type { Urn } from '../../shared/domain/lineage/node.ts';
import { type EdgeClaim, edgeIds, edgesOf } from '../../shared/domain/projection/edges.ts';
import { listingOf } from '../../shared/domain/projection/listing.ts';

/** The graph of one complete snapshot, in memory: what properties of reads are tried on by the hundred. */
export function memoryGraph(
  identity: ScopeIdentity,
  { order, at }: { readonly order: Order; readonly at: string },
  derivations: readonly Derivation[],
) {
  const claims = edgesOf(derivations, { deliveryId: '', observedAt: at, unmappedIsUnknown: false });
  const head: ScopeHead = { ...identity, order, floor: order, started: order, digest: null, committedAt: at };
  const pages = { out: pagesOf(identity, order, 'out', claims), in: pagesOf(identity, order, 'in', claims) };
  const details = claims.map((claim) => ({ ...edgeIds(claim), scope: identity.scope, detail: claim.detail }));
  const record = {
    order,
    complete: true,
    at,
    retracted: 0,
    warnings: [],
    deliveryId: null,
    listing: listingOf(claims),
  };
  return {
    pages: {
      firstPages: async (_: WorkspaceId, side: Side, nodes) => nodes.flatMap((node) => pages[side].get(node) ?? []),
      morePages: async () => [],
      coldPages: async () => [],
      scan: async () => [],
      scanCold: async () => [],
      names: async (_: WorkspaceId, side: Side, nodes) => nodes.flatMap((node) => pages[side].get(node) ?? []),
    } satisfies PageReader,
    scopes: {
      heads: async (_: WorkspaceId, scopes) => (scopes.includes(head.scope) ? [head] : []),
      orders: async () => [record],
      history: async () => [record],
    } satisfies Pick<ScopeStore, 'heads' | 'orders' | 'history'>,
    details: {
      get: async (_: WorkspaceId, edges) =>
        edges.flatMap(({ from, to }) => details.filter((one) => one.from === from && one.to === to)),
    } satisfies Pick<DetailStore, 'get'>,
    knownScopes: new Map<string, ScopeIdentity>(),
  };
}

function pagesOf(
  { scope }: ScopeIdentity,
  order: Order,
  side: Side,
  claims: readonly EdgeClaim[],
): ReadonlyMap<string, Page> {
  const neighbours = Map.groupBy(claims, ({ from, to }) => (side === 'out' ? from : to));
  const pageOf = (urn: Urn, edges: readonly EdgeClaim[]): Page => ({
    node: nodeId(urn),
    side,
    number: 0,
    urn,
    level: 0,
    facts: noFacts,
    claims: edges.map(({ from, to }) => ({
      kind: 'snapshot',
      other: nodeId(side === 'out' ? to : from),
      scope,
      order,
    })),
  });
  return new Map([...neighbours].map(([urn, edges]) => [nodeId(urn), pageOf(urn, edges)]));
}
