import { Fault } from '../../../contract/problems.ts';
import type { EdgeStatement } from '../graph/claim-writer.ts';
import type { HasTakenEffect } from '../graph/edge-details.ts';
import { nodeId, nodeOf } from '../graph/node.ts';
import { isForgottenOrder, type Order, zeroOrder } from '../graph/order.ts';
import { claimName, edgeClaim } from '../graph/removals.ts';
import type { Described } from '../graph/schema.ts';
import {
  type ContentChanges,
  emptyListing,
  type RecordedOrder,
  type RetiredOrder,
  type ScopeHead,
  type ScopeOrder,
} from '../graph/scope-store.ts';
import { changesBetween, rewrittenNodes } from './content-changes.ts';
import { edgeIds, nodesOf, statedColumns } from './edges.ts';
import { exceedsShrinkGuard, type ListedEdge, listedEdges, type Retraction, retractionOf } from './listing.ts';
import { snapshotShrank, type Warning } from './ports.ts';
import {
  type ChangeLimits,
  type ContentBefore,
  changeLimits,
  changeOf,
  contentBefore,
  type Load,
  loadOf,
  type Snapshot,
  type SnapshotChange,
  type SnapshotWriters,
} from './snapshot-status.ts';

type LoadOutcome = {
  readonly state: 'projected' | 'superseded' | 'held';
  /** When it took effect; null if it did not. */
  readonly at: string | null;
  readonly retracted: number;
  readonly changes?: ContentChanges | null;
  readonly warnings: readonly Warning[];
};

const superseded: LoadOutcome = { state: 'superseded', at: null, retracted: 0, warnings: [] };
/** Others took effect, or began, before each of this many attempts to commit. */
const mostAttempts = 20;

/** A complete snapshot takes effect in one write after its claims, in any order (G-SCOPE-3). */
export async function loadSnapshot(
  ports: SnapshotWriters,
  snapshot: Snapshot,
  limits: ChangeLimits = changeLimits,
): Promise<LoadOutcome> {
  await ports.scopes.register(snapshot.graph, snapshot.scope);
  const load = loadOf(ports, snapshot);
  const head = await headOf(load);
  const earlier = earlierOutcome(snapshot, head);
  // What an earlier attempt claimed is dead, and so may be what one that died after its commit left behind.
  if (earlier === 'superseded') return retireDead(load, { from: zeroOrder, floor: head.floor });
  if (earlier === 'repeated') return repeatOutcome(load, head);
  return snapshot.complete ? loadComplete(load, head, limits) : loadPartial(load);
}

async function headOf({ ports, snapshot: { graph, scope } }: Load): Promise<ScopeHead> {
  const [head] = await ports.scopes.heads(graph, [scope.scope], { consistent: true });
  if (!head) throw new Fault('scope_without_head', 'a scope has no head after it was registered');
  return head;
}

/** What a load that comes late, or once more, finds settled. */
function earlierOutcome({ order, complete }: Snapshot, head: ScopeHead): 'superseded' | 'repeated' | null {
  // An order that later ones took over unchanged has taken effect too.
  if (complete && (head.order === order || head.listed === order)) return 'repeated';
  return head.order > order ? 'superseded' : null;
}

/** The commit was done and its message came again: what it retracted was recorded before it took effect. */
async function repeatOutcome({ ports, snapshot }: Load, head: ScopeHead): Promise<LoadOutcome> {
  const [{ graph, scope, order }, { floor, committedAt: at }] = [snapshot, head];
  await retireBelow({ ports, snapshot }, { from: zeroOrder, floor });
  const recorded = await ports.scopes.recorded(graph, scope.scope, order);
  const { retracted = 0, changes = null, warnings = [] } = recorded ?? {};
  return { state: 'projected', at, retracted, changes, warnings };
}

async function loadComplete(load: Load, head: ScopeHead, limits: ChangeLimits): Promise<LoadOutcome> {
  const { ports, snapshot, content: digest } = load;
  const { graph, scope, order } = snapshot;
  // A static event is written anew even when it is unchanged: a DROP may have ended what an older one stated.
  if (scope.kind === 'snapshot' && head.digest === digest) {
    const at = ports.clock.now().toISOString();
    const { deliveryId } = snapshot;
    const unchanged = await ports.scopes.commitUnchanged(graph, scope.scope, { order, digest, at, deliveryId });
    if (unchanged) return { state: 'projected', at, retracted: 0, warnings: [] };
  }
  let found = head;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const outcome = await attemptComplete(load, found, attempt < limits.attempts ? limits : null);
    if (outcome !== null) return outcome;
    found = await headOf(load);
    if (earlierOutcome(snapshot, found) !== null) return finishSuperseded(load, found);
  }
  throw new Fault('store_scope_contended', 'others commit to a scope faster than a snapshot is loaded');
}

/** Null where the scope is not any more as the attempt found it: the next attempt begins anew. */
async function attemptComplete(load: Load, head: ScopeHead, limits: ChangeLimits | null): Promise<LoadOutcome | null> {
  const { ports, snapshot, listing } = load;
  const { graph, scope, order } = snapshot;
  const orders = await ports.scopes.orders(graph, scope.scope, head.listed);
  const before = contentBefore(head, orders, order);
  const counted = contentBefore(head, orders.filter(isRemembered(snapshot, head)), order);
  const retraction = retractionOf(edgesBefore(counted), listedEdges(listing));
  const { held, warnings } = shrinkGuardResult(snapshot, retraction);
  if (held) return { state: 'held', at: null, retracted: 0, warnings };
  const mayChange = limits !== null && scope.kind === 'snapshot';
  const stated = before.stated ?? emptyListing;
  const rewritten = rewrittenNodes(stated, listing);
  const change = mayChange ? changeOf({ ...before, rewritten }, listing, head, limits) : null;
  const changes = await changesBetween(ports, graph, {
    before: stated,
    after: listing,
    rewritten,
    contents: new Map(load.described.map(({ schema, content }) => [schema, content])),
  });
  await recordLoad(load, { retracted: retraction.evidence, changes, warnings });
  const beginning = await ports.scopes.begin(graph, scope.scope, order);
  if (beginning === null) return null;
  // A load that began since the content was read may have claimed edges that the change does not touch.
  if (change !== null && beginning.version !== head.version + 1) return null;
  await writeClaims(load, change, scope.kind === 'snapshot' ? effectIn(beginning, orders) : null);
  // The time is taken after the claims are written: a question about an earlier moment must not see them committed.
  const at = ports.clock.now().toISOString();
  const end = { order, before: head.listed, floor: head.floor, removed: change?.removed ?? null };
  const committed = await ports.scopes.commit(graph, scope.scope, {
    order,
    at,
    content: load.content,
    end: scope.kind === 'snapshot' ? end : null,
    against: change && beginning.version,
  });
  if (!committed) return null;
  if (change === null) await retireBelow(load, { from: head.floor, floor: order });
  return { state: 'projected', at, retracted: retraction.evidence, changes, warnings };
}

/** Tells whether what an order states still counted before the snapshot. */
const isRemembered =
  ({ forgottenUntil = null }: Snapshot, head: ScopeHead) =>
  ({ order }: RecordedOrder): boolean =>
    !isForgottenOrder(forgottenUntil, { order, current: head.order });

/** Whether earlier orders have taken effect; false if unknown. */
function effectIn(head: ScopeHead, orders: readonly RecordedOrder[]): HasTakenEffect {
  const partials = new Set(orders.flatMap((one) => (one.complete ? [] : [one.order])));
  return (order) => order <= head.order || partials.has(order);
}

/** The edges that the scope holds up before the order: those of its last commit and of later loads. */
const edgesBefore = ({ stated, others }: ContentBefore): ListedEdge[] =>
  [...(stated ? [stated] : []), ...others].flatMap(listedEdges);

async function loadPartial(load: Load): Promise<LoadOutcome> {
  const { ports, snapshot } = load;
  const at = await recordLoad(load, { retracted: 0, warnings: [] });
  const beginning = await ports.scopes.begin(snapshot.graph, snapshot.scope.scope, snapshot.order);
  if (beginning !== null) await writeClaims(load, null, null);
  const head = await headOf(load);
  if (beginning === null || head.order > snapshot.order) return finishSuperseded(load, head);
  return { state: 'projected', at, retracted: 0, warnings: [] };
}

/** A newer snapshot took effect meanwhile: the claims are dead, some perhaps written after their order was pruned. */
async function finishSuperseded(load: Load, head: ScopeHead): Promise<LoadOutcome> {
  // Another worker of the same delivery committed it.
  if (earlierOutcome(load.snapshot, head) === 'repeated') return repeatOutcome(load, head);
  return retireDead(load, { from: zeroOrder, floor: head.floor });
}

/** Puts all that is dead up for pruning. */
async function retireDead(load: Load, range: OrderRange): Promise<LoadOutcome> {
  const { ports, snapshot } = load;
  await retireBelow(load, range);
  // Its order may have been pruned before.
  const own = snapshot.order < range.floor ? [retired(snapshot, snapshot.order)] : [];
  await ports.scopes.retire(own, { at: ports.clock.now().toISOString(), again: true });
  return superseded;
}

/** Whether a snapshot that retracts this much is held, and what its delivery warns of. */
function shrinkGuardResult({ shrinkGuard, released }: Snapshot, retraction: Retraction) {
  if (shrinkGuard.mode === 'off' || !exceedsShrinkGuard(retraction, shrinkGuard.share))
    return { held: false, warnings: [] };
  const message =
    retraction.losesAllColumns || retraction.columnShare > shrinkGuard.share
      ? `The snapshot retracts ${retraction.losesAllColumns ? 'all' : 'most'} column evidence of its scope while tables remain. Was it compiled?`
      : 'The snapshot retracts more of its scope than the shrink guard lets pass in silence.';
  const warnings: Warning[] = [{ code: snapshotShrank, message }];
  return { held: shrinkGuard.mode === 'hold' && !released, warnings };
}

type OrderRange = { readonly from: Order; readonly floor: Order };

const retired = ({ graph, scope: { scope, kind } }: Snapshot, order: Order): RetiredOrder => ({
  graph,
  scope,
  kind,
  order,
});

/** Puts the orders of a scope that are below its floor up for pruning. */
async function retireBelow(
  { ports: { scopes, clock }, snapshot }: Pick<Load, 'ports' | 'snapshot'>,
  { from, floor }: OrderRange,
): Promise<void> {
  const history = await scopes.history(snapshot.graph, snapshot.scope.scope, from);
  const dead = history.flatMap(({ order }) => (order < floor ? [retired(snapshot, order)] : []));
  await scopes.retire(dead, { at: clock.now().toISOString() });
}

/** Record first, then the beginning, then claims: a process that finds an order's claims or its beginning also finds its record. What is kept beside a record goes with it. Answers when the load began. */
async function recordLoad(
  { ports, snapshot, listing, content }: Load,
  { retracted, changes = null, warnings }: Pick<ScopeOrder, 'retracted' | 'changes' | 'warnings'>,
): Promise<string> {
  const { graph, scope, order, complete, deliveryId, packed } = snapshot;
  const at = ports.clock.now().toISOString();
  const record = { order, complete, at, listing, content, retracted, changes, warnings, deliveryId };
  await ports.scopes.recordOrder(graph, scope.scope, record);
  if (packed) await ports.derivations.put(graph, { scope: scope.scope, order }, packed);
  return at;
}

/** Writes all, or what a change adds or says otherwise. With `hasTakenEffect` readers see the replaced until then. */
async function writeClaims(
  load: Load,
  change: SnapshotChange | null,
  hasTakenEffect: HasTakenEffect | null,
): Promise<void> {
  const { ports, snapshot } = load;
  const { graph, order, scope: identity } = snapshot;
  const { scope, kind } = identity;
  const { stated, edges, described } = partOf(load, change);
  const contents = new Map(described.map(({ schema, content }) => [schema, content]));
  const columns = statedColumns({ edges: stated, described, contents });
  const urns = new Set([...stated.flatMap(({ from, to }) => [from, to]), ...described.map(({ node }) => node)]);
  // A whole snapshot also names relations without claims.
  const named = change === null ? nodesOf(snapshot.derivations) : [];
  await Promise.all([
    ports.directory.add(graph, [...named, ...[...urns].map(nodeOf)], columns),
    ports.schemas.put(graph, contents),
  ]);
  await ports.claims.claim(graph, { kind, scope, order, edges, described, stated, hasTakenEffect });
}

/** `stated`: the edges whose details are written. */
function partOf({ claims, described }: Load, change: SnapshotChange | null) {
  if (change === null) return { stated: claims, edges: claims, described };
  const { added, changed } = change;
  const isAdded = (claim: EdgeStatement): boolean => {
    const { from, to } = edgeIds(claim);
    return added.has(edgeClaim(from, to));
  };
  const isSchemaAdded = ({ node, schema }: Described): boolean =>
    added.has(claimName({ node: nodeId(node), side: 'schema' }, schema));
  const stated = claims.filter((claim) => changed.has(nodeId(claim.to)) || isAdded(claim));
  return { stated, edges: claims.filter(isAdded), described: described.filter(isSchemaAdded) };
}
