import * as v from 'valibot';
import {
  DeliveryWarning,
  type LineageDelivery,
  type QuarantinedItem,
  type UnresolvedAssets,
} from '../../../../contract/deliveries.ts';
import { orNull } from '../../../../contract/fields.ts';
import { ConnectorId, DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../../contract/ids.ts';
import { adviceOn, adviceOnIgnored, ignoredReasons, isResolved } from '../../../../contract/unresolved-reasons.ts';
import { completenesses, type DeliveryState, deliveryKinds, deliveryStates } from '../../../../contract/vocabulary.ts';
import type { Order } from '../../graph/order.ts';

const number = v.optional(v.number(), 0);

const StoredUnresolved = v.object({
  reason: v.string(),
  count: v.number(),
  assets: v.optional(v.array(v.string()), []),
  assets_left_out: v.optional(v.number(), 0),
});

/** An accepted delivery and what became of it: the receipt. While it is open it is its own outbox work. */
export const Delivery = v.object({
  delivery_id: DeliveryId,
  workspace_id: WorkspaceId,
  connector_id: orNull(ConnectorId),
  provider_instance_id: ProviderInstanceId,
  provider_type: v.string(),
  kind: v.picklist(deliveryKinds),
  state: v.picklist(deliveryStates),
  received_at: v.string(),
  /** The request that was answered with the receipt: log lines of both ends have it. */
  request_id: orNull(v.string()),
  completed_at: orNull(v.string()),
  /** When what it declares took effect: the graph is made again as of then. */
  effective_at: orNull(v.string()),
  /** The generation of the graph that it was last worked into. */
  generation: number,
  attempts: number,
  /** The attempt that was begun and has not ended: concurrently with other deliveries, or exclusively in its process. */
  open_attempt: orNull(v.picklist(['shared', 'exclusive'])),
  /** How often the sweep sent it again since it was last begun. */
  resends: number,
  duplicate_count: number,
  item_count: number,
  /** Children that were no objects, counted by the intake API. */
  refused_item_count: number,
  /** OpenLineage events without a run are among the items: what they declare stands until they declare otherwise. */
  has_static_events: v.optional(v.boolean(), false),
  invalid_item_count: number,
  projected_item_count: number,
  warnings: v.optional(v.array(DeliveryWarning), []),
  unresolved: v.optional(v.array(StoredUnresolved), []),
  ignored: v.optional(v.array(v.object({ reason: v.picklist(ignoredReasons), count: v.number() })), []),
  only_unowned: v.optional(v.boolean(), false),
  retracted_evidence_count: number,
  scope_key: orNull(v.string()),
  completeness: orNull(v.picklist(completenesses)),
  /** The place in its scope, taken at acceptance; declared deliveries have one. */
  order: orNull(v.custom<Order>((text) => typeof text === 'string')),
  released: v.optional(v.boolean(), false),
  /** Whether `quarantined` items are kept in their own object. */
  has_quarantine: v.optional(v.boolean(), false),
  content_digest: v.string(),
  payload: v.object({
    /** SHA-256 of the bytes as received. */
    digest: v.string(),
    content_type: v.string(),
    content_encoding: orNull(v.string()),
    /** It waits in an item of the table for the archive of its hour, and is not a separate object. */
    small: v.optional(v.boolean(), false),
  }),
});
export type Delivery = v.InferOutput<typeof Delivery>;

export const openStates = ['accepted', 'processing'] as const satisfies readonly DeliveryState[];

/** Whether work on a delivery is still to end. */
export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean => state === 'accepted' || state === 'processing';

/** An attempt that ended without a word beside others does not count: one of those may have ended it. */
export const countedAttempts = ({ attempts, open_attempt }: Pick<Delivery, 'attempts' | 'open_attempt'>): number =>
  open_attempt === 'shared' ? attempts - 1 : attempts;

/** A delivery as the interface shows it: C-DELIVERY-1. */
export function deliveryView(delivery: Delivery, quarantined: readonly QuarantinedItem[]): LineageDelivery {
  return {
    delivery_id: delivery.delivery_id,
    workspace_id: delivery.workspace_id,
    connector_id: delivery.connector_id,
    provider_instance_id: delivery.provider_instance_id,
    kind: delivery.kind,
    state: delivery.state,
    duplicate_count: delivery.duplicate_count,
    received_at: delivery.received_at,
    completed_at: delivery.completed_at,
    attempts: delivery.attempts,
    item_count: delivery.item_count,
    invalid_item_count: Math.max(delivery.refused_item_count, delivery.invalid_item_count),
    projected_item_count: delivery.projected_item_count,
    quarantined: [...quarantined],
    warnings: delivery.warnings,
    // What ended it is the first that there is to say of it.
    failure: delivery.state === 'failed' ? (delivery.warnings[0] ?? null) : null,
    scope_key: delivery.scope_key,
    completeness: delivery.completeness,
    retracted_evidence_count: delivery.retracted_evidence_count,
    unresolved: delivery.unresolved.map(unresolvedView),
    ignored: delivery.ignored.map((one) => ({ ...one, advice: adviceOnIgnored[one.reason] })),
    only_unowned: delivery.only_unowned,
  };
}

/** The unresolved assets as the interface shows them, with advice. */
export const unresolvedView = (one: Delivery['unresolved'][number]): UnresolvedAssets => ({
  ...one,
  resolved: isResolved(one.reason),
  advice: adviceOn(one.reason),
});

/** Where a delivery is in the lists of its workspace, and the SHA-256 of its payload. */
export type DeliveryPlace = {
  readonly workspace_id: WorkspaceId;
  readonly delivery_id: DeliveryId;
  readonly received_at: string;
  readonly digest: string;
};

/** Those of a workspace are in this many lists: one takes 1,000 units a second, and an entry is up to three. */
export const deliveryLists = 8;

export const listOf = ({ delivery_id }: Pick<DeliveryPlace, 'delivery_id'>): number =>
  Number.parseInt(delivery_id.slice(0, 2), 16) % deliveryLists;

export const placeOf = ({ workspace_id, delivery_id, received_at, payload }: Delivery): DeliveryPlace => ({
  workspace_id,
  delivery_id,
  received_at,
  digest: payload.digest,
});

const second = 1_000;
const minute = 60 * second;

/** A delivery that was begun so often and never ended is given up. */
export const maxAttempts = 5;

/** A message is normally worked long before: what is due by then was lost, or waits in a long queue. */
export const noticedAfterMs = minute;

/** Longer than a worker may run: fifteen minutes. */
const lease = 16 * minute;

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();

/** When the sweep looks at a delivery that was just sent. */
export const dueAfterSend = (now: Date): string => after(now, noticedAfterMs);

/** When the sweep looks at a delivery that a worker has begun. */
export const dueAfterBegin = (now: Date): string => after(now, lease);

/** When the sweep looks again at a delivery that it sent again `resends` times before: doubling, an hour at most. */
export const dueAfterResend = (now: Date, resends: number): string =>
  after(now, Math.min(60, 2 ** (resends + 1)) * minute);

/** How long to wait after the nth attempt failed: 5, 20, 80, 320 seconds. */
export const backoffSeconds = (attempts: number): number => Math.min(900, 5 * 4 ** (attempts - 1));
