import { Fault } from '../../contract/fault.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import type { Derivation } from '../graph/derivation.ts';
import { nodeOf, type Urn } from '../graph/node.ts';
import { type Order, zeroOrder } from '../graph/order.ts';
import type { ScopeHead, ScopeIdentity, ScopeOrder } from '../graph/ports.ts';
import { type RelationSchema, schemaId } from '../graph/schema.ts';
import type { Connector } from '../identity/connector.ts';
import { type EdgeStatement, edgeIds, edgesOf, nodesOf } from './edges.ts';
import { contentDigestOf, type ListedEdge, listedEdges, listingOf, retractionOf } from './listing.ts';
import type { ProjectionPorts, Warning } from './ports.ts';
import { retireAgain, retireBelow } from './retire-orders.ts';
import { shrinkGuardResult } from './shrink-guard.ts';

/** What replaces, or adds to, all that a scope states: a declared delivery, or an OpenLineage JobEvent or DatasetEvent. */
export type Snapshot = {
  readonly scope: ScopeIdentity & { readonly kind: 'snapshot' | 'static' };
  readonly order: Order;
  readonly complete: boolean;
  readonly deliveryId: string;
  readonly receivedAt: string;
  readonly derivations: readonly Derivation[];
  /** What it states of columns of relations. */
  readonly schemas?: ReadonlyMap<Urn, RelationSchema>;
  readonly shrinkGuard: Connector['shrink_guard'];
  /** An administrator let a held snapshot pass. */
  readonly released: boolean;
};

type LoadOutcome = {
  readonly state: 'projected' | 'superseded' | 'held';
  readonly retracted: number;
  readonly warnings: readonly Warning[];
};

export type SnapshotPorts = Pick<
  ProjectionPorts<never>,
  'claims' | 'details' | 'schemas' | 'scopes' | 'directory' | 'clock'
>;

/** One load of one snapshot, as it is handed from step to step. */
type Load = {
  readonly ports: SnapshotPorts;
  readonly workspace: WorkspaceId;
  readonly snapshot: Snapshot;
  /** What the snapshot states. */
  readonly claims: readonly EdgeStatement[];
};

const superseded: LoadOutcome = { state: 'superseded', retracted: 0, warnings: [] };

/**
 * Loads a snapshot under its order. A complete one takes effect, and retracts what its scope stated before, in one write
 * after all its claims are written; it never touches another scope. May be run again, beside others, and in any order
 * (G-SCOPE-3 to G-SCOPE-7).
 */
export async function loadSnapshot(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  snapshot: Snapshot,
): Promise<LoadOutcome> {
  await ports.scopes.register(workspace, snapshot.scope);
  const [head] = await ports.scopes.heads(workspace, [snapshot.scope.scope], { consistent: true });
  if (!head) throw new Fault('scope_without_head', 'a scope has no head after it was registered');
  const context = {
    deliveryId: snapshot.deliveryId,
    observedAt: snapshot.receivedAt,
    unmappedIsUnknown: snapshot.scope.kind === 'static',
  };
  const claims = edgesOf(snapshot.derivations, context);
  const load = { ports, workspace, snapshot, claims };
  const earlier = earlierOutcome(snapshot, head);
  // What an earlier attempt claimed is dead, and so may be what one that died after its commit left behind.
  if (earlier === 'superseded') return retireDead(load, { from: zeroOrder, floor: head.floor });
  if (earlier === 'repeated') return repeatOutcome(load, head.floor);
  return snapshot.complete ? loadComplete(load, head) : loadPartial(load);
}

/** What a load that comes late, or once more, finds settled. */
function earlierOutcome({ order, complete }: Snapshot, head: ScopeHead): 'superseded' | 'repeated' | null {
  if (complete && head.order > order) return 'superseded';
  if (complete && head.order === order) return 'repeated';
  return !complete && head.floor > order ? 'superseded' : null;
}

/** The commit was done and its message came again: what it retracted was recorded before it took effect. */
async function repeatOutcome({ ports, workspace, snapshot }: Load, floor: Order): Promise<LoadOutcome> {
  const { scope, order } = snapshot;
  // Below the floor, not below the order: an unchanged snapshot lives by the claims of the one it took over.
  await retireBelow(ports, { workspace, ...scope }, { from: zeroOrder, floor });
  const { retracted = 0, warnings = [] } = (await ports.scopes.recorded(workspace, scope.scope, order)) ?? {};
  return { state: 'projected', retracted, warnings };
}

async function loadComplete(load: Load, head: ScopeHead): Promise<LoadOutcome> {
  const { ports, workspace, snapshot, claims } = load;
  const { scope, order } = snapshot;
  const digest = contentDigestOf(claims, describedBy(snapshot));
  const commitNow = () => ({ order, digest, at: ports.clock.now().toISOString() });
  // A static event is written anew even when it is unchanged: a DROP may have ended what an older one stated.
  if (scope.kind === 'snapshot' && head.digest === digest) {
    const unchanged = await ports.scopes.commitUnchanged(workspace, scope.scope, commitNow());
    if (unchanged) return { state: 'projected', retracted: 0, warnings: [] };
  }
  const retraction = retractionOf(await liveEdges(load, head), listedEdges(listingOf(claims)));
  const { held, warnings } = shrinkGuardResult(snapshot, retraction);
  if (held) return { state: 'held', retracted: 0, warnings };
  await writeClaims(load, { retracted: retraction.evidence, warnings });
  // The time is taken after the claims are written: a question about an earlier moment must not see them committed.
  if (!(await ports.scopes.commit(workspace, scope.scope, commitNow()))) return finishSuperseded(load, head.floor);
  await retireBelow(ports, { workspace, ...scope }, { from: head.floor, floor: order });
  return { state: 'projected', retracted: retraction.evidence, warnings };
}

async function loadPartial(load: Load): Promise<LoadOutcome> {
  await writeClaims(load, { retracted: 0, warnings: [] });
  if ((await currentFloor(load)) > load.snapshot.order) return finishSuperseded(load, zeroOrder);
  return { state: 'projected', retracted: 0, warnings: [] };
}

/** A newer snapshot took effect meanwhile: the claims are dead, some perhaps written after their order was pruned. */
async function finishSuperseded(load: Load, from: Order): Promise<LoadOutcome> {
  const floor = await currentFloor(load);
  // Another worker of the same delivery committed it.
  if (floor === load.snapshot.order) return repeatOutcome(load, floor);
  return retireDead(load, { from, floor });
}

/** Puts all that is dead up for pruning. An order that later ones took over unchanged is the floor itself, and lives. */
async function retireDead(
  { ports, workspace, snapshot: { scope, order } }: Load,
  range: { readonly from: Order; readonly floor: Order },
): Promise<LoadOutcome> {
  await retireBelow(ports, { workspace, ...scope }, range);
  if (order < range.floor) await retireAgain(ports, { workspace, ...scope }, order);
  return superseded;
}

/** The edges that the scope holds up before this order: those of its last commit and of the partial deliveries since. */
async function liveEdges({ ports, workspace, snapshot }: Load, head: ScopeHead): Promise<ListedEdge[]> {
  const orders = await ports.scopes.orders(workspace, head.scope, head.floor);
  return orders.filter(({ order }) => order < snapshot.order).flatMap(({ listing }) => listedEdges(listing));
}

/** Listing and start first: whoever finds claims of an order can find what they were, and skips nothing below it. */
async function writeClaims(
  { ports, workspace, snapshot, claims }: Load,
  { retracted, warnings }: Pick<ScopeOrder, 'retracted' | 'warnings'>,
): Promise<void> {
  const { order, complete, deliveryId, derivations } = snapshot;
  const { scope, kind } = snapshot.scope;
  const described = describedBy(snapshot);
  const nodes = described.map(({ node }) => node);
  const [at, listing] = [ports.clock.now().toISOString(), listingOf(claims, nodes)];
  await ports.scopes.start(workspace, scope, order);
  await ports.scopes.recordOrder(workspace, scope, { order, complete, at, listing, retracted, warnings, deliveryId });
  await Promise.all([
    ports.directory.add(workspace, [...nodesOf(derivations), ...nodes.map(nodeOf)]),
    ports.schemas.put(workspace, new Map(described.map(({ schema, content }) => [schema, content]))),
  ]);
  await ports.details.put(
    workspace,
    claims.map((claim) => ({ ...edgeIds(claim), scope, order, detail: claim.detail })),
  );
  await ports.claims.claim(workspace, { kind, scope, order, edges: claims, described });
}

const describedBy = ({ schemas = new Map() }: Snapshot) =>
  [...schemas].map(([node, content]) => ({ node, content, schema: schemaId(content) }));

async function currentFloor({ ports, workspace, snapshot: { scope } }: Load): Promise<Order> {
  return (await ports.scopes.heads(workspace, [scope.scope], { consistent: true }))[0]?.floor ?? zeroOrder;
}
