import { scopeId } from '../graph/ids.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, isUnresolvedAsset } from '../ingest/deliveries/finish-delivery.ts';
import { snapshotShrank } from './ports.ts';
import type { SnapshotLog } from './snapshot-status.ts';

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
