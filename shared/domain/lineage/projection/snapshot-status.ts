import type { DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { EdgeStatement } from '../graph/claim-writer.ts';
import type { Derivation } from '../graph/derivation.ts';
import { type GraphId, type NodeId, type ScopeId, scopeId, type Urn } from '../graph/node.ts';
import { type Order, zeroOrder } from '../graph/order.ts';
import { type ClaimName, claimsIn, type ListedClaim } from '../graph/removals.ts';
import { type Described, type RelationSchema, readWithoutOutput, schemaId } from '../graph/schema.ts';
import type { Listing, RecordedOrder, ScopeHead, ScopeIdentity } from '../graph/scope-store.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, isUnresolvedAsset } from '../ingest/deliveries/finish-delivery.ts';
import type { Connector } from '../names/connector.ts';
import { edgesOf } from './edges.ts';
import { contentDigestOf, listingOf, listingOfClaims } from './listing.ts';
import { type GraphWriters, snapshotShrank } from './ports.ts';

/** How the complete snapshots of one scope went: orders that only ever rise, so that repeated work changes nothing. */
export type SnapshotStatus = {
  readonly scope: ScopeId;
  /** The newest snapshot that tripped the shrink guard. */
  readonly shrank: { readonly order: Order; readonly deliveryId: DeliveryId; readonly held: boolean } | null;
  /** The newest snapshot that took effect and left assets unresolved. */
  readonly unresolved: { readonly order: Order; readonly deliveryId: DeliveryId } | null;
  /** The newest snapshot that took effect. */
  readonly settled: Order | null;
  /** The newest snapshot that an administrator let through. */
  readonly released: Order | null;
};

type Feed = { readonly workspace_id: WorkspaceId; readonly provider_instance_id: ProviderInstanceId };

export type SnapshotLog = {
  readonly shrank: (feed: Feed, scope: ScopeId, shrank: NonNullable<SnapshotStatus['shrank']>) => Promise<void>;
  readonly settled: (feed: Feed, scope: ScopeId, order: Order) => Promise<void>;
  readonly unresolved: (
    feed: Feed,
    scope: ScopeId,
    unresolved: NonNullable<SnapshotStatus['unresolved']>,
  ) => Promise<void>;
  readonly released: (feed: Feed, scope: ScopeId, order: Order) => Promise<void>;
  /** Says that the held snapshot of that order waits no longer. */
  readonly clearHeld: (feed: Feed, scope: ScopeId, order: Order) => Promise<void>;
};

const isBelow = (a: Order, b: Order | null): boolean => b !== null && a < b;

/** Whether the newest complete snapshot of the scope shrank, and nobody let it through. */
export const isShrunk = ({ shrank, settled, released }: SnapshotStatus): boolean =>
  shrank !== null && !isBelow(shrank.order, settled) && (released === null || released < shrank.order);

/** The newest snapshot of the scope, if it left assets unresolved. */
export const unresolvedSnapshot = ({ unresolved, settled }: SnapshotStatus): DeliveryId | null =>
  unresolved !== null && !isBelow(unresolved.order, settled) ? unresolved.deliveryId : null;

/** The delivery that waits for a release although a later snapshot took effect. */
export const overtaken = ({ shrank, settled }: SnapshotStatus): DeliveryId | null =>
  shrank?.held && isBelow(shrank.order, settled) ? shrank.deliveryId : null;

/** Notes how a complete snapshot went, before its delivery ends: readers that see it ended find the note. */
export async function recordSnapshotStatus(
  { snapshots }: { readonly snapshots: Omit<SnapshotLog, 'clearHeld'> },
  delivery: Delivery,
  outcome: DeliveryOutcome,
): Promise<void> {
  const { kind, warnings } = outcome;
  const { completeness, scope_key: scopeKey, order, delivery_id: deliveryId } = delivery;
  if (completeness !== 'complete' || scopeKey === null || order === null) return;
  const scope = scopeId(scopeKey);
  const shrank = warnings.some(({ code }) => code === snapshotShrank);
  if (shrank) await snapshots.shrank(delivery, scope, { order, deliveryId, held: kind === 'held' });
  if (outcome.kind !== 'processed') return;
  // First: readers that see it in effect also see its unresolved items.
  if (outcome.unresolved.some(isUnresolvedAsset)) await snapshots.unresolved(delivery, scope, { order, deliveryId });
  await snapshots.settled(delivery, scope, order);
  if (delivery.released) await snapshots.released(delivery, scope, order);
}

/** What replaces, or adds to, all that a scope states: a declared delivery, or an OpenLineage JobEvent or DatasetEvent. */
export type Snapshot = {
  readonly graph: GraphId;
  readonly scope: ScopeIdentity & { readonly kind: 'snapshot' | 'static' };
  readonly order: Order;
  readonly complete: boolean;
  readonly deliveryId: string;
  readonly receivedAt: string;
  readonly derivations: readonly Derivation[];
  /** The same, packed, of a document that is too large to be read for a question about one of them. */
  readonly packed?: Uint8Array;
  readonly schemas?: ReadonlyMap<Urn, RelationSchema>;
  /** What a job reads that reports no output. */
  readonly reads?: readonly Urn[];
  readonly shrinkGuard: Connector['shrink_guard'];
  /** An administrator let a held snapshot pass. */
  readonly released: boolean;
  /** What was forgotten of the scope: the snapshot retracts nothing of it. */
  readonly forgottenUntil?: Order | null;
};

export type SnapshotWriters = Pick<
  GraphWriters,
  'claims' | 'derivations' | 'schemas' | 'scopes' | 'directory' | 'clock'
>;

export type Load = {
  readonly ports: SnapshotWriters;
  readonly snapshot: Snapshot;
  readonly claims: readonly EdgeStatement[];
  readonly described: readonly (Described & { readonly content: RelationSchema })[];
  readonly listing: Listing;
  readonly content: string;
};

export function loadOf(ports: SnapshotWriters, snapshot: Snapshot): Load {
  const { derivations, deliveryId, receivedAt: observedAt, scope, schemas = new Map(), reads = [] } = snapshot;
  const claims = edgesOf(derivations, { deliveryId, observedAt, unmappedIsUnknown: scope.kind === 'static' });
  const described = [
    ...[...schemas].map(([node, content]) => ({ node, content, schema: schemaId(content) })),
    ...reads.map((node) => ({ node, content: noColumns, schema: readWithoutOutput })),
  ];
  const listing = listingOf(claims, described);
  return { ports, snapshot, claims, described, listing, content: contentDigestOf(listing) };
}

const noColumns: RelationSchema = { columns: [], stars: [], complete: false };

/** When a snapshot is loaded as a change of the one before, and not as a whole. */
export type ChangeLimits = {
  /** Of a scope's claims: what adds and removes more costs no less than the whole. */
  readonly share: number;
  /** Claims that are removed by name between two loads of the whole: every reader of the scope reads their names. */
  readonly removals: number;
  /** Orders between two loads of the whole: their records and listings stay until then. */
  readonly orders: number;
  /** How often a change is tried that others overtake. */
  readonly attempts: number;
};

export const changeLimits: ChangeLimits = { share: 0.5, removals: 5_000, orders: 100, attempts: 3 };

export type ContentBefore = {
  /** What the newest complete order lists, whose claims are all written; null if there is none. */
  readonly stated: Listing | null;
  /** What other orders since then may have claimed, in whole or in part. */
  readonly others: readonly Listing[];
};

export function contentBefore(head: ScopeHead, recorded: readonly RecordedOrder[], order: Order): ContentBefore {
  const before = recorded.filter((one) => one.order < order);
  const newest = before.find((one) => one.order === head.listed && head.listed !== zeroOrder);
  const others = before.filter((one) => one !== newest).map(({ listing }) => listing);
  return { stated: newest?.listing ?? null, others: [...others, ...before.flatMap(({ also }) => also)] };
}

export type SnapshotChange = {
  readonly added: ReadonlySet<ClaimName>;
  /** Claims that may be there and are not stated any more. */
  readonly removed: Listing;
  readonly changed: ReadonlySet<NodeId>;
};

/** Null where the snapshot is to be loaded as a whole. */
export function changeOf(
  { stated, others, rewritten }: ContentBefore & { readonly rewritten: ReadonlySet<NodeId> },
  next: Listing,
  { changes }: Pick<ScopeHead, 'changes'>,
  limits: ChangeLimits,
): SnapshotChange | null {
  if (stated === null || changes.orders >= limits.orders) return null;
  const [known, now] = [claimsIn(stated), claimsIn(next)];
  const added = new Set([...now.keys()].filter((name) => !known.has(name)));
  const possible = new Map<ClaimName, ListedClaim>([...known, ...others.flatMap((one) => [...claimsIn(one)])]);
  const removed = [...possible].flatMap(([name, claim]) => (now.has(name) ? [] : [claim]));
  if (added.size + removed.length > limits.share * now.size) return null;
  if (changes.removals + removed.length > limits.removals) return null;
  // What another order said of an edge may stand where this one's word is to stand.
  const mentioned = others.flatMap(({ nodes, edges }) => edges.flatMap(([, to]) => nodes[to] ?? []));
  return { added, removed: listingOfClaims(removed), changed: new Set([...rewritten, ...mentioned]) };
}
