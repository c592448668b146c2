import { nodeId } from '../graph/ids.ts';
import { nodeOf } from '../graph/node.ts';
import type { Order } from '../graph/order.ts';
import { claimName, edgeClaim } from '../graph/removals.ts';
import type { Described } from '../graph/schema.ts';
import type { ScopeOrder } from '../graph/scope-store.ts';
import { type EdgeStatement, edgeIds, nodesOf } from './edges.ts';
import type { DescribedContent, Load } from './snapshot.ts';
import type { SnapshotChange } from './snapshot-change.ts';
import { statedColumns } from './stated-columns.ts';

/** Record first, then the beginning, then claims: whoever finds claims of an order, or that it began, finds what they may be. What is kept beside a record goes with it. Answers when the load began. */
export async function recordLoad(
  { ports, workspace, snapshot, listing, content }: Load,
  { retracted, warnings }: Pick<ScopeOrder, 'retracted' | 'warnings'>,
): Promise<string> {
  const { scope, order, complete, deliveryId, packed } = snapshot;
  const at = ports.clock.now().toISOString();
  const record = { order, complete, at, listing, content, retracted, warnings, deliveryId };
  await ports.scopes.recordOrder(workspace, scope.scope, record);
  if (packed) await ports.derivations.put(workspace, { scope: scope.scope, order }, packed);
  return at;
}

/**
 * Writes what a snapshot states: all of it, or what a change adds to the scope and says otherwise. With `hasTakenEffect`,
 * which tells it of earlier orders, readers see what it replaces until it takes effect.
 */
export async function writeClaims(
  load: Load,
  change: SnapshotChange | null,
  hasTakenEffect: ((order: Order) => boolean) | null,
): Promise<void> {
  const { ports, workspace, snapshot } = load;
  const { order, scope: identity } = snapshot;
  const { scope, kind } = identity;
  const { stated, edges, described } = partOf(load, change);
  const contents = new Map(described.map(({ schema, content }) => [schema, content]));
  const columns = statedColumns({ edges: stated, described, contents });
  const urns = new Set([...stated.flatMap(({ from, to }) => [from, to]), ...described.map(({ node }) => node)]);
  // A whole snapshot also names relations of which nothing is claimed.
  const named = change === null ? nodesOf(snapshot.derivations) : [];
  await Promise.all([
    ports.directory.add(workspace, [...named, ...[...urns].map(nodeOf)], { columns }),
    ports.schemas.put(workspace, contents),
  ]);
  await ports.details.put(
    workspace,
    stated.map((claim) => ({ ...edgeIds(claim), scope, order, detail: claim.detail })),
    hasTakenEffect,
  );
  await ports.claims.claim(workspace, { kind, scope, order, edges, described });
}

type Part = {
  /** Edges of which something is to be known. */
  readonly stated: readonly EdgeStatement[];
  /** Edges that are to be claimed. */
  readonly edges: readonly EdgeStatement[];
  readonly described: readonly DescribedContent[];
};

function partOf({ claims, described }: Load, change: SnapshotChange | null): Part {
  if (change === null) return { stated: claims, edges: claims, described };
  const { added, changed } = change;
  const isAdded = (claim: EdgeStatement): boolean => {
    const { from, to } = edgeIds(claim);
    return added.has(edgeClaim(from, to));
  };
  const isSchemaAdded = ({ node, schema }: Described): boolean =>
    added.has(claimName({ node: nodeId(node), side: 'schema' }, schema));
  const edges = claims.filter(isAdded);
  return {
    stated: claims.filter((claim) => changed.has(nodeId(claim.to)) || isAdded(claim)),
    edges,
    described: described.filter(isSchemaAdded),
  };
}
