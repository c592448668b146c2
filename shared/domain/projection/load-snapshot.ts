import { Fault } from '../../contract/fault.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import type { Derivation } from '../graph/derivation.ts';
import { type Order, zeroOrder } from '../graph/order.ts';
import type { RetiredOrder, ScopeHead, ScopeIdentity, ScopeOrder } from '../graph/ports.ts';
import type { Connector } from '../identity/connector.ts';
import { type EdgeStatement, edgeIds, edgesOf, nodesOf } from './edges.ts';
import {
  contentDigestOf,
  exceedsShrinkGuard,
  type ListedEdge,
  listedEdges,
  listingOf,
  type Retraction,
  retractionOf,
} from './listing.ts';
import { type ProjectionPorts, snapshotShrank, type Warning } from './ports.ts';

/** What replaces, or adds to, all that a scope states: a declared delivery, or an OpenLineage JobEvent or DatasetEvent. */
export type Snapshot = {
  readonly scope: ScopeIdentity & { readonly kind: 'snapshot' | 'static' };
  readonly order: Order;
  readonly complete: boolean;
  readonly deliveryId: string;
  readonly receivedAt: string;
  readonly derivations: readonly Derivation[];
  readonly shrinkGuard: Connector['shrink_guard'];
  /** An administrator let a held snapshot pass. */
  readonly released: boolean;
};

type LoadOutcome = {
  readonly state: 'projected' | 'superseded' | 'held';
  readonly retracted: number;
  readonly warnings: readonly Warning[];
};

type SnapshotPorts = Pick<ProjectionPorts<never>, 'claims' | 'details' | 'scopes' | 'directory' | 'clock'>;

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
  const earlier = earlierOutcome(snapshot, head);
  // What an earlier attempt claimed is dead, and so may be what one that died after its commit left behind.
  if (earlier === 'superseded') return retireDead(ports, workspace, snapshot, { from: zeroOrder, floor: head.floor });
  if (earlier === 'repeated') return repeatOutcome(ports, workspace, snapshot, head.floor);
  return snapshot.complete
    ? loadComplete(ports, workspace, snapshot, head, claims)
    : loadPartial(ports, workspace, snapshot, claims);
}

/** What a load that comes late, or once more, finds settled. */
function earlierOutcome({ order, complete }: Snapshot, head: ScopeHead): 'superseded' | 'repeated' | null {
  if (complete && head.order > order) return 'superseded';
  if (complete && head.order === order) return 'repeated';
  return !complete && head.floor > order ? 'superseded' : null;
}

/** The commit was done and its message came again: what it retracted was recorded before it took effect. */
async function repeatOutcome(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  { scope, order }: Snapshot,
  floor: Order,
): Promise<LoadOutcome> {
  // Below the floor, not below the order: an unchanged snapshot lives by the claims of the one it took over.
  await retireBelow(ports, workspace, scope, zeroOrder, floor);
  const { retracted = 0, warnings = [] } = (await ports.scopes.recorded(workspace, scope.scope, order)) ?? {};
  return { state: 'projected', retracted, warnings };
}

async function loadComplete(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  snapshot: Snapshot,
  head: ScopeHead,
  claims: readonly EdgeStatement[],
): Promise<LoadOutcome> {
  const { scope, order } = snapshot;
  const digest = contentDigestOf(claims);
  // A static event is written anew even when it is unchanged: a DROP may have ended what an older one stated.
  if (scope.kind === 'snapshot' && head.digest === digest) {
    const taken = await ports.scopes.commitUnchanged(workspace, scope.scope, {
      order,
      digest,
      at: ports.clock.now().toISOString(),
    });
    if (taken) return { state: 'projected', retracted: 0, warnings: [] };
  }
  const live = await liveEdges(ports, workspace, head, order);
  const retraction = retractionOf(live, listedEdges(listingOf(claims)));
  const guardResult = guard(snapshot, retraction);
  if (guardResult.held) return { state: 'held', retracted: 0, warnings: guardResult.warnings };
  await writeClaims(ports, workspace, snapshot, claims, {
    retracted: retraction.evidence,
    warnings: guardResult.warnings,
  });
  // The time is taken after the claims are written: a question about an earlier moment must not see them committed.
  const committed = await ports.scopes.commit(workspace, scope.scope, {
    order,
    digest,
    at: ports.clock.now().toISOString(),
  });
  if (!committed) return finishSuperseded(ports, workspace, snapshot, head.floor);
  await retireBelow(ports, workspace, scope, head.floor, order);
  return { state: 'projected', retracted: retraction.evidence, warnings: guardResult.warnings };
}

async function loadPartial(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  snapshot: Snapshot,
  claims: readonly EdgeStatement[],
): Promise<LoadOutcome> {
  await writeClaims(ports, workspace, snapshot, claims, { retracted: 0, warnings: [] });
  const floor = await currentFloor(ports, workspace, snapshot.scope);
  if (floor > snapshot.order) return finishSuperseded(ports, workspace, snapshot, zeroOrder);
  return { state: 'projected', retracted: 0, warnings: [] };
}

/** A newer snapshot took effect meanwhile: the claims are dead, some perhaps written after their order was pruned. */
async function finishSuperseded(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  snapshot: Snapshot,
  from: Order,
): Promise<LoadOutcome> {
  const floor = await currentFloor(ports, workspace, snapshot.scope);
  // Another worker of the same delivery committed it.
  if (floor === snapshot.order) return repeatOutcome(ports, workspace, snapshot, floor);
  return retireDead(ports, workspace, snapshot, { from, floor });
}

/** Puts all that is dead up for pruning. An order that later ones took over unchanged is the floor itself, and lives. */
async function retireDead(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  { scope, order }: Snapshot,
  { from, floor }: { readonly from: Order; readonly floor: Order },
): Promise<LoadOutcome> {
  await retireBelow(ports, workspace, scope, from, floor);
  if (order < floor) await retireAgain(ports, workspace, scope, order);
  return superseded;
}

/** The edges that the scope holds up before this order: those of its last commit and of the partial deliveries since. */
async function liveEdges(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  head: ScopeHead,
  order: Order,
): Promise<ListedEdge[]> {
  const orders = await ports.scopes.orders(workspace, head.scope, head.floor);
  return orders.filter((one) => one.order < order).flatMap(({ listing }) => listedEdges(listing));
}

function guard({ shrinkGuard, released }: Snapshot, retraction: Retraction) {
  if (shrinkGuard.mode === 'off' || !exceedsShrinkGuard(retraction, shrinkGuard.share))
    return { held: false, warnings: [] };
  const message = retraction.losesAllColumns
    ? 'The snapshot retracts all column evidence of its scope while tables remain.'
    : 'The snapshot retracts more of its scope than the shrink guard lets pass in silence.';
  const warnings: Warning[] = [{ code: snapshotShrank, message }];
  return { held: shrinkGuard.mode === 'hold' && !released, warnings };
}

/** Listing and start first: whoever finds claims of an order can find what they were, and skips nothing below it. */
async function writeClaims(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  { scope, order, complete, deliveryId, derivations }: Snapshot,
  claims: readonly EdgeStatement[],
  { retracted, warnings }: Pick<ScopeOrder, 'retracted' | 'warnings'>,
): Promise<void> {
  const listing = listingOf(claims);
  await ports.scopes.start(workspace, scope.scope, order);
  await ports.scopes.recordOrder(workspace, scope.scope, {
    order,
    complete,
    at: ports.clock.now().toISOString(),
    listing,
    retracted,
    warnings,
    deliveryId,
  });
  await ports.directory.add(workspace, nodesOf(derivations));
  await ports.details.put(
    workspace,
    claims.map((claim) => ({ ...edgeIds(claim), scope: scope.scope, order, detail: claim.detail })),
  );
  await ports.claims.claim(workspace, { kind: scope.kind, scope: scope.scope, order, edges: claims });
}

async function currentFloor(ports: SnapshotPorts, workspace: WorkspaceId, { scope }: ScopeIdentity): Promise<Order> {
  return (await ports.scopes.heads(workspace, [scope], { consistent: true }))[0]?.floor ?? zeroOrder;
}

async function retireBelow(
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  { scope, kind }: Snapshot['scope'],
  from: Order,
  floor: Order,
): Promise<void> {
  const dead = (await ports.scopes.history(workspace, scope, from)).filter(({ order }) => order < floor);
  await ports.scopes.retire(
    dead.map(({ order }): RetiredOrder => ({ workspace, scope, kind, order })),
    { at: ports.clock.now().toISOString() },
  );
}

const retireAgain = (
  ports: SnapshotPorts,
  workspace: WorkspaceId,
  { scope, kind }: Snapshot['scope'],
  order: Order,
): Promise<void> =>
  ports.scopes.retire([{ workspace, scope, kind, order }], { at: ports.clock.now().toISOString(), again: true });
