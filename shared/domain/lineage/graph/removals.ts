import { findOrAdd } from '../../base/collections.ts';
import type { PageSide } from './claim.ts';
import type { NodeId } from './node.ts';
import type { Order } from './order.ts';
import type { SchemaId } from './schema.ts';
import type { Listing, OrderEnd } from './scope-store.ts';

/** Where a claim stands: on a side of a node. */
export type ClaimPlace = { readonly node: NodeId; readonly side: PageSide };

export type ClaimName = string & { readonly __brand: 'ClaimName' };

export const edgeClaim = (from: NodeId, to: NodeId): ClaimName => `${from}${to}` as ClaimName;
const schemaClaim = (node: NodeId, schema: NodeId): ClaimName => `${node} ${schema}` as ClaimName;

export function claimName({ node, side }: ClaimPlace, other: NodeId): ClaimName {
  if (side === 'schema') return schemaClaim(node, other);
  return side === 'out' ? edgeClaim(node, other) : edgeClaim(other, node);
}

export type ListedClaim = { readonly from: NodeId; readonly to: NodeId; readonly columns?: boolean } | ListedSchema;
type ListedSchema = { readonly node: NodeId; readonly schema: SchemaId };

export const listedSchemas = ({ nodes, described = [], schemas = [] }: Listing): ListedSchema[] =>
  described.flatMap((place, i) => {
    const [node, schema] = [nodes[place], schemas[i]];
    return node && schema ? [{ node, schema }] : [];
  });

export function claimsIn(listing: Listing): Map<ClaimName, ListedClaim> {
  const found = new Map<ClaimName, ListedClaim>();
  for (const [a, b] of listing.edges) {
    const [from, to] = [listing.nodes[a], listing.nodes[b]];
    if (from && to) found.set(edgeClaim(from, to), { from, to });
  }
  for (const one of listedSchemas(listing)) found.set(schemaClaim(one.node, one.schema), one);
  return found;
}

/** The orders that took a claim away by name, by the claim; oldest first. */
export type Removals = ReadonlyMap<ClaimName, readonly Order[]>;

export const noRemovals: Removals = new Map();

/** What the ends of orders removed; `ends` are in the order of their orders. */
export function removalsOf(ends: readonly OrderEnd[]): Removals {
  const found = new Map<ClaimName, Order[]>();
  for (const { order, removed } of ends)
    for (const name of removed ? claimsIn(removed).keys() : []) findOrAdd(found, name, () => []).push(order);
  return found;
}
