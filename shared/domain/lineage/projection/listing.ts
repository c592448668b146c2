import { findOrAdd } from '../../base/collections.ts';
import type { EdgeStatement } from '../graph/claim-writer.ts';
import { contentDigest, type NodeId, nodeId } from '../graph/node.ts';
import type { ListedClaim } from '../graph/removals.ts';
import type { Described, SchemaId } from '../graph/schema.ts';
import type { Listing } from '../graph/scope-store.ts';
import { edgeIds } from './edges.ts';

export function listingOf(claims: readonly EdgeStatement[], described: readonly Described[] = []): Listing {
  const edges = claims.map((one) => ({ ...edgeIds(one), columns: one.detail.columns.length > 0 }));
  const schemas = described.map(({ node, schema }) => ({ node: nodeId(node), schema }));
  const digests = new Map([...Map.groupBy(claims, ({ to }) => to)].map(([to, all]) => [nodeId(to), digestOf(all)]));
  return listingOfClaims([...edges, ...schemas], digests);
}

export function listingOfClaims(claims: Iterable<ListedClaim>, digests?: ReadonlyMap<NodeId, string>): Listing {
  const positions = new Map<NodeId, number>();
  const position = (node: NodeId) => findOrAdd(positions, node, () => positions.size);
  const [edges, described, schemas] = [[] as Listing['edges'][number][], [] as number[], [] as SchemaId[]];
  for (const claim of claims) {
    if ('from' in claim) edges.push([position(claim.from), position(claim.to), claim.columns ? 1 : 0]);
    else {
      described.push(position(claim.node));
      schemas.push(claim.schema);
    }
  }
  return {
    version: 1,
    nodes: [...positions.keys()],
    edges,
    ...(digests && { digests: [...digests].map(([to, digest]) => [position(to), digest] as const) }),
    ...(described.length > 0 && { described, schemas }),
  };
}

/** All that is stated of the edges to a node, except for where and when: a document is at another place in each delivery. */
function digestOf(claims: readonly EdgeStatement[]): string {
  const texts = claims.map(({ from, detail }) => {
    const { deliveryId: _, observedAt: __, location: ___, ...content } = detail;
    return JSON.stringify([from, content]);
  });
  return contentDigest(texts.sort().join('\n'));
}

/** The digest of a snapshot's content, independent of order and time. */
export function contentDigestOf({ nodes, digests = [], described = [], schemas = [] }: Listing): string {
  const ofNodes = digests.map(([place, digest]) => `${nodes[place]} ${digest}`);
  const ofSchemas = described.map((place, i) => `${nodes[place]} schema ${schemas[i]}`);
  return contentDigest([...ofNodes, ...ofSchemas].sort().join('\n'));
}

export type ListedEdge = { readonly from: NodeId; readonly to: NodeId; readonly columns: boolean };

export function listedEdges({ nodes, edges }: Listing): ListedEdge[] {
  return edges.flatMap(([from, to, columns]) => {
    const [a, b] = [nodes[from], nodes[to]];
    return a && b ? [{ from: a, to: b, columns: columns === 1 }] : [];
  });
}

export type Retraction = {
  readonly evidence: number;
  /** The share of the scope's relations that no edge touches any more, 0 to 1. */
  readonly relationShare: number;
  readonly relations: number;
  /** Of the edges that remain, the share that had columns and has none any more, 0 to 1. */
  readonly columnShare: number;
  /** Tables remain, and not one column mapping does. */
  readonly losesAllColumns: boolean;
};

export function retractionOf(before: readonly ListedEdge[], after: readonly ListedEdge[]): Retraction {
  const name = ({ from, to }: ListedEdge) => `${from}${to}`;
  const [old, stored] = [new Set(before.map(name)), new Set(after.map(name))];
  const [nodesBefore, nodesAfter] = [nodesOf(before), nodesOf(after)];
  const lost = [...nodesBefore].filter((node) => !nodesAfter.has(node)).length;
  const mapped = new Set(after.flatMap((edge) => (edge.columns ? name(edge) : [])));
  const remaining = [...new Set(before.flatMap((edge) => (edge.columns ? name(edge) : [])))].filter((edge) =>
    stored.has(edge),
  );
  return {
    evidence: [...old].filter((edge) => !stored.has(edge)).length,
    relationShare: nodesBefore.size === 0 ? 0 : lost / nodesBefore.size,
    relations: nodesBefore.size,
    columnShare: remaining.length === 0 ? 0 : remaining.filter((edge) => !mapped.has(edge)).length / remaining.length,
    losesAllColumns: after.length > 0 && before.some(({ columns }) => columns) && !after.some(({ columns }) => columns),
  };
}

const nodesOf = (edges: readonly ListedEdge[]) => new Set(edges.flatMap(({ from, to }) => [from, to]));

/** Scopes smaller than this shrink and grow by nature. */
const maxUnguardedRelations = 20;

/** Whether the snapshot shrinks by more than the guard of the connector allows: C-DELIVERY-8. */
export const exceedsShrinkGuard = (retraction: Retraction, share: number): boolean =>
  retraction.losesAllColumns ||
  (retraction.relations > maxUnguardedRelations && Math.max(retraction.relationShare, retraction.columnShare) > share);
