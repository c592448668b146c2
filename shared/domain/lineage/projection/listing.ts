import type { EdgeStatement } from '../graph/claim-writer.ts';
import { contentDigest, type NodeId, nodeId } from '../graph/node.ts';
import type { ListedClaim } from '../graph/removals.ts';
import type { Described, SchemaId } from '../graph/schema.ts';
import type { Listing } from '../graph/scope-store.ts';
import { edgeIds } from './edges.ts';

export function listingOf(claims: readonly EdgeStatement[], described: readonly Described[] = []): Listing {
  const { nodes, position } = nodeTable();
  const edges = claims.map((claim) => {
    const { from, to } = edgeIds(claim);
    return [position(from), position(to), claim.detail.columns.length > 0 ? 1 : 0] as const;
  });
  const digests = [...Map.groupBy(claims, ({ to }) => to)].map(
    ([to, ofNode]) => [position(nodeId(to)), digestOf(ofNode)] as const,
  );
  const ofNodes = [...new Map(described.map(({ node, schema }) => [nodeId(node), schema]))];
  const schemas = { described: ofNodes.map(([node]) => position(node)), schemas: ofNodes.map(([, schema]) => schema) };
  return { version: 1, nodes, edges, digests, ...(ofNodes.length > 0 && schemas) };
}

export function listingOfClaims(claims: Iterable<ListedClaim>): Listing {
  const { nodes, position } = nodeTable();
  const [edges, described, schemas] = [[] as [number, number, 0][], [] as number[], [] as SchemaId[]];
  for (const claim of claims) {
    if (claim.kind === 'edge') edges.push([position(claim.from), position(claim.to), 0]);
    else {
      described.push(position(claim.node));
      schemas.push(claim.schema);
    }
  }
  return { version: 1, nodes, edges, ...(described.length > 0 && { described, schemas }) };
}

/** Nodes in order of first use, and the place of each. */
function nodeTable() {
  const [nodes, positions] = [[] as NodeId[], new Map<NodeId, number>()];
  const position = (node: NodeId): number => {
    const known = positions.get(node);
    if (known !== undefined) return known;
    positions.set(node, nodes.length);
    return nodes.push(node) - 1;
  };
  return { nodes, position };
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

export const describedNodes = ({ nodes, described = [] }: Listing): NodeId[] =>
  described.flatMap((place) => nodes[place] ?? []);

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
