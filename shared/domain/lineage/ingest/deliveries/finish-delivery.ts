import type { DeliveryWarning, QuarantinedItem } from '../../../../contract/deliveries.ts';
import { beginningOf, storable } from '../../../../contract/fields.ts';
import type { ProjectDelivery } from '../../../../contract/messages.ts';
import { isResolved, unownedNamespace } from '../../../../contract/unresolved-reasons.ts';
import type { DeliveryState } from '../../../../contract/vocabulary.ts';
import type { ContentChanges } from '../../graph/scope-store.ts';
import { type Activity, type ActivityLog, receiptAt } from '../../providers/activity.ts';
import type { UnresolvedCount } from '../../sources/declared/declared.ts';
import { normalizerVersion } from '../../sources/normalizer.ts';
import {
  backoffSeconds,
  countedAttempts,
  type Delivery,
  dueAfterBegin,
  dueAfterSend,
  isOpen,
  maxAttempts,
  openStates,
} from './delivery.ts';
import { type DeliveryStore, type DueDeliveries, type Finish, messageOf, type ProjectionQueue } from './ports.ts';

/** What working a delivery came to: C-DELIVERY-3 to C-DELIVERY-6. */
export type DeliveryOutcome = { readonly warnings: readonly DeliveryWarning[] } & (
  | {
      readonly kind: 'processed';
      readonly quarantined: readonly QuarantinedItem[];
      readonly unresolved: readonly UnresolvedCount[];
      /** Events that were understood and have no effect. */
      readonly ignored?: Delivery['ignored'];
      /** All datasets that events name are relations that no connector owns. */
      readonly onlyUnowned?: boolean;
      readonly retractedEvidenceCount: number;
      /** The newest time at which an event says that it happened; null if the evidence carries none. */
      readonly lastEventAt: string | null;
      /** When a declared document took effect; events take effect at their own times. */
      readonly tookEffectAt?: string | null;
      /** The changes of a complete document; null if they are unknown, or if there are none. */
      readonly changes?: ContentChanges | null;
    }
  /** A newer complete snapshot of the scope took effect first. */
  | { readonly kind: 'superseded' }
  /** The shrink guard waits for an admin. */
  | { readonly kind: 'held' }
  | { readonly kind: 'failed' }
);

type FinishWriter = { readonly deliveries: Pick<DeliveryStore, 'finish'>; readonly activity: ActivityLog };

/** Longer lists are cut, and say so: an item of the store holds 400 KB. */
const listedItems = 1_000;

/** Ends a delivery, once: false if it was ended before. A held delivery may still be superseded. */
export async function finishDelivery(
  ports: FinishWriter,
  delivery: Delivery,
  outcome: DeliveryOutcome,
  now: Date,
): Promise<boolean> {
  const finish = finishOf(delivery, outcome, now);
  const from: readonly DeliveryState[] = outcome.kind === 'superseded' ? [...openStates, 'held'] : openStates;
  // Activity first: who sees the delivery ended finds its provider's times updated. Updating them twice is harmless.
  await ports.activity.record(delivery, activityOf(delivery, outcome, finish.state, now));
  return ports.deliveries.finish(delivery, from, finish);
}

/** Ends a delivery as failed, for the reasons that the warnings tell; false if it had ended already. */
export const failDelivery = (
  ports: FinishWriter,
  delivery: Delivery,
  now: Date,
  ...warnings: readonly DeliveryWarning[]
): Promise<boolean> => finishDelivery(ports, delivery, { kind: 'failed', warnings }, now);

function finishOf(delivery: Delivery, outcome: DeliveryOutcome, now: Date): Finish {
  const none = {
    effective_at: null,
    invalid_item_count: 0,
    projected_item_count: 0,
    retracted_evidence_count: 0,
    unresolved: [],
    ignored: [],
    only_unowned: false,
  };
  const warnings = outcome.warnings.map(shortened);
  const { attempts, generation } = delivery;
  const common = { attempts, generation, warnings, quarantined: [] };
  if (outcome.kind !== 'processed') {
    const completed_at = outcome.kind === 'held' ? null : now.toISOString();
    return { ...none, ...common, state: outcome.kind, completed_at };
  }
  const invalid = outcome.quarantined.length;
  const cut = { code: 'quarantine_list_cut', message: `Only the first ${listedItems} quarantined items are listed.` };
  return {
    ...common,
    state: finalState(delivery.item_count, invalid),
    completed_at: now.toISOString(),
    effective_at: outcome.tookEffectAt ?? null,
    invalid_item_count: invalid,
    projected_item_count: Math.max(0, delivery.item_count - invalid),
    retracted_evidence_count: outcome.retractedEvidenceCount,
    unresolved: outcome.unresolved.map((one) => ({ ...one, assets: [...one.assets] })),
    ignored: [...(outcome.ignored ?? [])],
    only_unowned: outcome.onlyUnowned ?? false,
    quarantined: outcome.quarantined.slice(0, listedItems).map(shortened),
    warnings: invalid > listedItems ? [...warnings, cut] : warnings,
  };
}

/** A message names a place, and a place may be a key of a megabyte: its beginning and the rule at its end say enough. */
function shortened<T extends { readonly message: string }>(item: T): T {
  const message = storable(item.message);
  if (message.length <= 600) return { ...item, message };
  return { ...item, message: `${beginningOf(message, 400)}…${message.slice(-150).toWellFormed()}` };
}

function finalState(items: number, invalid: number): DeliveryState {
  if (invalid === 0) return 'projected';
  return invalid >= items ? 'quarantined' : 'partially_projected';
}

/** What a gap `unresolved_assets` is about: namespaces without an owner have their own gap. */
export const isUnresolvedAsset = ({ reason }: Pick<UnresolvedCount, 'reason'>): boolean =>
  reason !== unownedNamespace && !isResolved(reason);

function activityOf(delivery: Delivery, outcome: DeliveryOutcome, state: DeliveryState, now: Date): Activity {
  const at = now.toISOString();
  const succeeded = state === 'projected' || state === 'partially_projected';
  const event = outcome.kind === 'processed' ? (outcome.lastEventAt ?? delivery.received_at) : null;
  return {
    ...receiptAt(delivery.received_at),
    last_accepted_at: delivery.received_at,
    last_event_at: event,
    // A clock that runs ahead must not hold the watermark in the future for ever.
    event_watermark: succeeded && event !== null ? earlier(event, at) : null,
    last_processed_at: state === 'held' ? null : at,
    last_success_at: succeeded ? at : null,
    last_error_at: state === 'failed' || state === 'quarantined' ? at : null,
    ...unresolvedActivity(delivery, outcome, at),
    last_quarantined_at: state === 'quarantined' || state === 'partially_projected' ? at : null,
    last_held_at: state === 'held' ? at : null,
    normalizer_version: outcome.kind === 'processed' ? normalizerVersion : null,
    failures: state === 'failed' ? [`${at}#${delivery.delivery_id}`] : [],
  };
}

/** The status of its scope says what a complete snapshot left unresolved, until the next one. */
function unresolvedActivity(
  { completeness, delivery_id }: Delivery,
  outcome: DeliveryOutcome,
  at: string,
): Pick<Activity, 'last_unresolved_at' | 'unresolved_delivery'> {
  const isLeft = outcome.kind === 'processed' && outcome.unresolved.some(isUnresolvedAsset);
  if (!isLeft || completeness === 'complete') return { last_unresolved_at: null, unresolved_delivery: null };
  return { last_unresolved_at: at, unresolved_delivery: `${at}#${delivery_id}` };
}

const earlier = (a: string, b: string): string => [a, b].sort()[0] ?? a;

/** How an attempt is made: concurrently with other deliveries, or exclusively in its process. */
export type AttemptMode = 'shared' | 'exclusive';

/** Exclusive after an attempt that ended without a word, which may have ended its process (G-DELIVERY-7). */
export const attemptModeOf = ({ open_attempt }: Delivery, receiveCount: number): AttemptMode =>
  open_attempt !== null || receiveCount > 1 ? 'exclusive' : 'shared';

/** The delivery that a message asks to work, or null if it was ended before. */
export async function findOpen(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'get'> },
  { workspace_id, delivery_id }: ProjectDelivery,
): Promise<Delivery | null> {
  const delivery = await deliveries.get(workspace_id, delivery_id);
  return delivery && isOpen(delivery) ? delivery : null;
}

/** The open delivery as its next attempt has it; null if it was ended since, or begun too often, which ends it as failed. */
export async function beginAttempt(
  ports: { readonly deliveries: DeliveryStore; readonly activity: ActivityLog },
  delivery: Delivery,
  { mode, now }: { readonly mode: AttemptMode; readonly now: Date },
): Promise<Delivery | null> {
  const attempts = countedAttempts(delivery) + 1;
  if (attempts > maxAttempts) {
    await failDelivery(ports, delivery, now, attemptsUsedUp);
    return null;
  }
  // The first attempt at a small delivery is over at once: saying that it began would cost more than the work.
  const isBrief =
    delivery.kind === 'openlineage_event' && attempts === 1 && mode === 'shared' && delivery.resends === 0;
  if (isBrief) return { ...delivery, state: 'processing', attempts };
  const { workspace_id, delivery_id } = delivery;
  return ports.deliveries.begin(workspace_id, delivery_id, { attempts, open_attempt: mode, dueAt: dueAfterBegin(now) });
}

export const attemptsUsedUp = {
  code: 'attempts_used_up',
  message: `The delivery could not be worked in ${maxAttempts} attempts.`,
} as const;

/** Ends an attempt that broke: sent again after a while, or failed where it was the last one. Answers which. */
export async function abortAttempt(
  ports: { readonly deliveries: DeliveryStore; readonly activity: ActivityLog; readonly queue: ProjectionQueue },
  delivery: Delivery,
  { failure, now }: { readonly failure: DeliveryWarning; readonly now: Date },
): Promise<'again' | 'failed'> {
  if (delivery.attempts >= maxAttempts) {
    await failDelivery(ports, delivery, now, failure, attemptsUsedUp);
    return 'failed';
  }
  const delaySeconds = backoffSeconds(delivery.attempts);
  const retryAt = new Date(now.getTime() + delaySeconds * 1_000);
  const { workspace_id, delivery_id, attempts } = delivery;
  // Recorded before the message is sent: the attempt counts even where the next worker sees no trace of it.
  await ports.deliveries.begin(workspace_id, delivery_id, {
    attempts,
    open_attempt: null,
    dueAt: dueAfterBegin(retryAt),
  });
  await ports.queue.send(messageOf(delivery), { delaySeconds });
  return 'again';
}

/** Retracts attempts that a stop of the whole service ended. Only before the first attempt after a start. */
export async function retractOpenAttempts(
  { due, deliveries }: { readonly due: DueDeliveries; readonly deliveries: DeliveryStore },
  now: Date,
): Promise<number> {
  const underWay = await due.underWay();
  for (const { workspace_id, delivery_id, attempts } of underWay)
    await deliveries.begin(workspace_id, delivery_id, {
      attempts: attempts - 1,
      open_attempt: null,
      dueAt: dueAfterSend(now),
    });
  return underWay.length;
}
