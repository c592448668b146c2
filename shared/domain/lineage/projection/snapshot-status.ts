import type { DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import { type ScopeId, scopeId } from '../graph/ids.ts';
import type { Order } from '../graph/order.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, isUnresolvedAsset } from '../ingest/deliveries/finish-delivery.ts';
import { snapshotShrank } from './ports.ts';

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
  readonly shrank: (
    feed: Feed,
    scope: ScopeId,
    shrank: { readonly order: Order; readonly deliveryId: DeliveryId; readonly held: boolean },
  ) => Promise<void>;
  readonly settled: (feed: Feed, scope: ScopeId, order: Order) => Promise<void>;
  readonly unresolved: (
    feed: Feed,
    scope: ScopeId,
    unresolved: { readonly order: Order; readonly deliveryId: DeliveryId },
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

/** Notes how a complete snapshot went, before its delivery ends: whoever sees it ended finds it noted. */
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
  // First: whoever sees that it took effect sees what it left unresolved.
  if (outcome.unresolved.some(isUnresolvedAsset)) await snapshots.unresolved(delivery, scope, { order, deliveryId });
  await snapshots.settled(delivery, scope, order);
  if (delivery.released) await snapshots.released(delivery, scope, order);
}
