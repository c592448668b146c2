import * as v from 'valibot';
import type { DeliveryPage, LineageDelivery, QuarantinedItem } from '../../../../contract/deliveries.ts';
import { type ConnectorId, DeliveryId, idOf, type WorkspaceId } from '../../../../contract/ids.ts';
import type { Notification, ProjectDelivery, ProjectionMessage } from '../../../../contract/messages.ts';
import { Problem } from '../../../../contract/problems.ts';
import { type DeliveryState, declaredKinds } from '../../../../contract/vocabulary.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import { type Delivery, type DeliveryPlace, deliveryView, dueAfterSend } from './delivery.ts';

/** What `finish` changes; the place in the due index goes with it. */
export type Finish = Pick<
  Delivery,
  | 'state'
  | 'completed_at'
  | 'effective_at'
  | 'generation'
  | 'attempts'
  | 'invalid_item_count'
  | 'projected_item_count'
  | 'warnings'
  | 'unresolved'
  | 'ignored'
  | 'only_unowned'
  | 'retracted_evidence_count'
> & { readonly quarantined: readonly QuarantinedItem[] };

export type DeliveryFilter = { readonly state: DeliveryState | null; readonly connectorId: ConnectorId | null };

/** Where a page of the list ended. */
export type DeliveryPosition = { readonly received_at: string; readonly delivery_id: string };

export type DeliveryStore = {
  /** Read consistently; null too where the receipt is no longer kept. */
  readonly get: (workspace: WorkspaceId, id: DeliveryId) => Promise<Delivery | null>;
  /** Enters a delivery into the list of its workspace, before it is opened, with its bytes where they are small. */
  readonly enlist: (delivery: Delivery, deflated: Uint8Array | null) => Promise<void>;
  /** Opens a delivery, or returns the existing one: one conditional write. Without a due time the sweep lists it. */
  readonly open: (delivery: Delivery, dueAt: string | null) => Promise<Delivery | null>;
  /** Lets the id of the content lead to a delivery with a key, if it leads nowhere yet. */
  readonly nameContent: (delivery: Delivery, contentId: DeliveryId) => Promise<void>;
  readonly countDuplicate: (workspace: WorkspaceId, id: DeliveryId) => Promise<void>;
  /** Says that an open delivery is being worked, and when to look again; null if it is no longer open. */
  readonly begin: (
    workspace: WorkspaceId,
    id: DeliveryId,
    attempt: Pick<Delivery, 'attempts' | 'open_attempt'> & { readonly dueAt: string },
  ) => Promise<Delivery | null>;
  /** Ends a delivery in one of the states `from` and counts it once for its provider, in one step; else false. */
  readonly finish: (
    delivery: Delivery,
    from: readonly DeliveryState[],
    finish: Finish,
    /** Is left to be announced by the same write. */
    notification?: Notification | null,
  ) => Promise<boolean>;
  /** Opens a delivery again that is in the state `from`; null if it is in another. */
  readonly reopen: (
    workspace: WorkspaceId,
    id: DeliveryId,
    reopening: { readonly from: DeliveryState; readonly released: boolean; readonly dueAt: string },
  ) => Promise<Delivery | null>;
  /** Records the graph generation of an ended delivery. */
  readonly placeIn: (workspace: WorkspaceId, id: DeliveryId, generation: number) => Promise<void>;
  /** Quarantined items of the deliveries that have some, by delivery. */
  readonly quarantined: (
    workspace: WorkspaceId,
    ids: readonly DeliveryId[],
  ) => Promise<ReadonlyMap<DeliveryId, readonly QuarantinedItem[]>>;
  /** Newest first, or oldest, after a place; `next` is where to go on, null at the end. May answer fewer than `limit`. */
  readonly list: (
    workspace: WorkspaceId,
    page: DeliveryFilter & {
      readonly limit: number;
      readonly after: DeliveryPosition | null;
      readonly oldestFirst?: boolean;
    },
  ) => Promise<{ readonly items: readonly Delivery[]; readonly next: DeliveryPosition | null }>;
};

/** Some of the open deliveries of a workspace. */
export type DueList = {
  readonly workspace: WorkspaceId;
  /** Those with a due time, by the index that they are in; null: those without one, in the list of all deliveries. */
  readonly index: string | null;
};

/** The open deliveries of all workspaces, by when to look at them again. Read from an index: moments late. */
export type DueDeliveries = {
  /** Where the due deliveries stand, in another order each time, so that sweeps at once seldom meet. */
  readonly lists: () => Promise<readonly DueList[]>;
  /** Those of a list that are due by then, earliest first, a page at a time. What was looked at is not looked at again. */
  readonly due: (list: DueList, now: Date) => AsyncIterable<readonly Delivery[]>;
  /** Gives a due time to each delivery at those places that is open and has none. */
  readonly schedule: (places: readonly DeliveryPlace[], dueAt: string) => Promise<void>;
  /** The open deliveries whose attempt was begun and has not ended. */
  readonly underWay: () => Promise<readonly Delivery[]>;
  /** Takes a due delivery to be sent again; false if it was worked or taken since. */
  readonly reschedule: (delivery: Delivery, now: string, dueAt: string) => Promise<boolean>;
};

/** What the shrink guard holds. Read from an index: moments late. */
export type HeldDeliveries = {
  /** Newest first. */
  readonly held: (workspace: WorkspaceId, limit: number) => Promise<readonly Delivery[]>;
};

export type PayloadStore = {
  readonly put: (delivery: Delivery, bytes: Uint8Array) => Promise<void>;
  /** The bytes as received. */
  readonly stream: (delivery: Delivery) => Promise<AsyncIterable<Uint8Array>>;
};

/** At least once, in any order. */
export type ProjectionQueue = {
  readonly send: (message: ProjectionMessage, options?: { readonly delaySeconds: number }) => Promise<void>;
};

export type BulkQueue = {
  /** Sends many, ten a request; reports each that was not sent, and why. */
  readonly sendAll: <M extends ProjectionMessage>(
    messages: readonly M[],
    onUnsent: (message: M, error: unknown) => void,
  ) => Promise<void>;
};

export const messageOf = ({ workspace_id, delivery_id, kind }: Delivery): ProjectDelivery => ({
  version: 1,
  workspace_id,
  delivery_id,
  ...(declaredKinds.some((declared) => declared === kind) && { document: true }),
});

export async function findDelivery(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'get'> },
  workspace: WorkspaceId,
  id: string,
): Promise<Delivery> {
  // Ids are derived in lower case, and UUIDs mean the same in either.
  const delivery = await deliveries.get(workspace, idOf(DeliveryId, id.toLowerCase()));
  if (!delivery) throw new Problem('not_found');
  return delivery;
}

export async function showDelivery(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'quarantined'> },
  delivery: Delivery,
): Promise<LineageDelivery> {
  if (!delivery.has_quarantine) return deliveryView(delivery, []);
  const quarantined = await deliveries.quarantined(delivery.workspace_id, [delivery.delivery_id]);
  return deliveryView(delivery, quarantined.get(delivery.delivery_id) ?? []);
}

export async function showDeliveries(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'list' | 'quarantined'> },
  workspace: WorkspaceId,
  { cursor, ...page }: DeliveryFilter & { readonly limit: number; readonly cursor: string | null },
): Promise<DeliveryPage> {
  const listing: BoundList = ['deliveries', workspace, page.state, page.connectorId];
  const after = readCursor(listing, Place, cursor);
  const { items, next } = await deliveries.list(workspace, { ...page, after });
  const ids = items.filter((item) => item.has_quarantine).map((item) => item.delivery_id);
  const quarantined = await deliveries.quarantined(workspace, ids);
  return {
    workspace_id: workspace,
    items: items.map((item) => deliveryView(item, quarantined.get(item.delivery_id) ?? [])),
    next_cursor: next && writeCursor(listing, { received_at: next.received_at, delivery_id: next.delivery_id }),
  };
}

const Place = v.object({
  received_at: v.pipe(v.string(), v.isoTimestamp()),
  delivery_id: v.pipe(v.string(), v.uuid()),
});

export async function showPayload(
  { payloads }: { readonly payloads: Pick<PayloadStore, 'stream'> },
  delivery: Delivery,
): Promise<{ readonly bytes: AsyncIterable<Uint8Array>; readonly headers: Readonly<Record<string, string>> }> {
  const { content_type, content_encoding } = delivery.payload;
  return {
    bytes: await payloads.stream(delivery),
    headers: {
      'content-type': content_type,
      ...(content_encoding !== null && { 'content-encoding': content_encoding }),
    },
  };
}

export type DeliveryReopener = {
  readonly deliveries: DeliveryStore;
  readonly queue: ProjectionQueue;
  /** Called for a send that failed: the sweep repeats it, for the delivery is open again. */
  readonly onSendFailed: (delivery: Delivery, error: unknown) => void;
};

/** Puts a failed delivery back to work, with all its attempts before it. Throws `conflict` in any other state. */
export const retryDelivery = (ports: DeliveryReopener, delivery: Delivery, now: Date): Promise<Delivery> =>
  reopen(ports, delivery, { from: 'failed', released: delivery.released }, now);

/** Lets a held snapshot through the shrink guard. Throws `conflict` in any other state. */
export const releaseDelivery = (ports: DeliveryReopener, delivery: Delivery, now: Date): Promise<Delivery> =>
  reopen(ports, delivery, { from: 'held', released: true }, now);

async function reopen(
  { deliveries, queue, onSendFailed }: DeliveryReopener,
  { workspace_id, delivery_id }: Delivery,
  change: { readonly from: 'failed' | 'held'; readonly released: boolean },
  now: Date,
): Promise<Delivery> {
  const opened = await deliveries.reopen(workspace_id, delivery_id, { ...change, dueAt: dueAfterSend(now) });
  if (!opened) {
    throw new Problem('conflict', { message: `Only a delivery in the state ${change.from} can be put back to work.` });
  }
  await queue.send(messageOf(opened)).catch((error: unknown) => onSendFailed(opened, error));
  return opened;
}
