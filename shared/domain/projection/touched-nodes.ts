import { type NodeId, nodeId } from '../graph/ids.ts';
import type { Urn } from '../graph/node.ts';
import type { ClaimWriter, ScopeStore } from '../graph/ports.ts';

/** What a projection writes to, watched. */
type Writers = { readonly claims: ClaimWriter; readonly scopes: ScopeStore };

/** The nodes whose edges a projection wrote or retracted; the name is null where it is not known. */
export type TouchedNodes = ReadonlyMap<NodeId, Urn | null>;

/** The same ports, and the nodes that are touched through them. */
export function watchTouched<P extends Writers>(ports: P): { readonly ports: P; readonly touched: TouchedNodes } {
  const touched = new Map<NodeId, Urn | null>();
  const note = (...urns: readonly Urn[]) => {
    for (const urn of urns) touched.set(nodeId(urn), urn);
  };
  const { claims, scopes } = ports;
  const watched: Writers = {
    claims: {
      ...claims,
      claim: async (workspace, all) => {
        for (const { from, to } of all.edges) note(from, to);
        for (const { node } of all.described ?? []) note(node);
        return claims.claim(workspace, all);
      },
      observe: async (workspace, observation) => {
        for (const { from, to } of observation.edges) note(from, to);
        for (const { node } of observation.schemas?.seen ?? []) note(node);
        return claims.observe(workspace, observation);
      },
      narrow: async (workspace, scope, narrowings) => {
        for (const { edge } of narrowings) note(edge.from, edge.to);
        return claims.narrow(workspace, scope, narrowings);
      },
      alias: async (workspace, alias, canonical) => {
        note(alias, canonical);
        return claims.alias(workspace, alias, canonical);
      },
      rename: async (workspace, from, to, at) => {
        note(from, to);
        return claims.rename(workspace, from, to, at);
      },
      drop: async (workspace, node, at) => {
        note(node);
        return claims.drop(workspace, node, at);
      },
    },
    scopes: {
      ...scopes,
      // A complete snapshot asks for the orders that it retracts.
      orders: async (workspace, scope, floor) => {
        const orders = await scopes.orders(workspace, scope, floor);
        for (const { listing } of orders)
          for (const node of listing.nodes) touched.set(node, touched.get(node) ?? null);
        return orders;
      },
    },
  };
  return { ports: { ...ports, ...watched }, touched };
}
