import { contentDigest, type NodeId, nodeId } from '../graph/ids.ts';
import type { Urn } from '../graph/node.ts';
import type { Listing } from '../graph/ports.ts';
import type { Described } from '../graph/schema.ts';
import { type EdgeStatement, edgeIds } from './edges.ts';

export function listingOf(claims: readonly EdgeStatement[], described: Iterable<Urn> = []): Listing {
  const positions = new Map<NodeId, number>();
  const position = (node: NodeId) => {
    const known = positions.get(node);
    if (known !== undefined) return known;
    positions.set(node, positions.size);
    return positions.size - 1;
  };
  const edges = claims.map((claim) => {
    const { from, to } = edgeIds(claim);
    return [position(from), position(to), claim.detail.columns.length > 0 ? 1 : 0] as const;
  });
  const schemas = [...new Set(described)].map((urn) => position(nodeId(urn)));
  return { version: 1, nodes: [...positions.keys()], edges, ...(schemas.length > 0 && { described: schemas }) };
}

export type ListedEdge = { readonly from: NodeId; readonly to: NodeId; readonly columns: boolean };

export function listedEdges({ nodes, edges }: Listing): ListedEdge[] {
  return edges.flatMap(([from, to, columns]) => {
    const [a, b] = [nodes[from], nodes[to]];
    return a && b ? [{ from: a, to: b, columns: columns === 1 }] : [];
  });
}

/** The nodes of which the listing's order states schemas. */
export const describedNodes = ({ nodes, described = [] }: Listing): NodeId[] =>
  described.flatMap((place) => nodes[place] ?? []);

/** The digest of what a snapshot states, whatever its order and time. */
export function contentDigestOf(claims: readonly EdgeStatement[], described: readonly Described[]): string {
  // Of digests: the details of all edges as one text would be the largest thing in memory.
  const digests = claims.map(({ from, to, detail }) => {
    const { deliveryId: _, observedAt: __, ...content } = detail;
    return contentDigest(JSON.stringify([from, to, content]));
  });
  const schemas = described.map(({ node, schema }) => contentDigest(`${node} ${schema}`));
  return contentDigest([...digests.sort(), ...schemas.sort()].join(''));
}

/** What a complete snapshot takes away from its scope. */
export type Retraction = {
  readonly evidence: number;
  /** The share of the scope's relations that no edge touches any more, 0 to 1. */
  readonly relationShare: number;
  readonly relations: number;
  /** Tables remain, and not one column mapping does. */
  readonly losesAllColumns: boolean;
};

export function retractionOf(before: readonly ListedEdge[], after: readonly ListedEdge[]): Retraction {
  const name = ({ from, to }: ListedEdge) => `${from}${to}`;
  const [old, kept] = [new Set(before.map(name)), new Set(after.map(name))];
  const [nodesBefore, nodesAfter] = [nodesOf(before), nodesOf(after)];
  const lost = [...nodesBefore].filter((node) => !nodesAfter.has(node)).length;
  return {
    evidence: [...old].filter((edge) => !kept.has(edge)).length,
    relationShare: nodesBefore.size === 0 ? 0 : lost / nodesBefore.size,
    relations: nodesBefore.size,
    losesAllColumns: after.length > 0 && before.some(({ columns }) => columns) && !after.some(({ columns }) => columns),
  };
}

const nodesOf = (edges: readonly ListedEdge[]) => new Set(edges.flatMap(({ from, to }) => [from, to]));

/** Scopes smaller than this shrink and grow by nature. */
const maxUnguardedRelations = 20;

/** Whether the snapshot shrinks by more than the guard of the connector allows: C-DELIVERY-8. */
export const exceedsShrinkGuard = (retraction: Retraction, share: number): boolean =>
  retraction.losesAllColumns || (retraction.relations > maxUnguardedRelations && retraction.relationShare > share);
