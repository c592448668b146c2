import * as v from 'valibot';
import { QuarantinedItem } from '../../../contract/deliveries.ts';
import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import type { Notification } from '../../../contract/messages.ts';
import { isResolved } from '../../../contract/unresolved-reasons.ts';
import type { DeliveryState } from '../../../contract/vocabulary.ts';
import { Delivery, openStates } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { DeliveryFilter, DeliveryStore, Finish } from '../../../domain/lineage/ingest/deliveries/ports.ts';
import {
  deliveryCountersKey,
  deliveryKey,
  dueKey,
  heldKey,
  keyedContentKey,
  quarantineKey,
} from '../keys/delivery-keys.ts';
import { announcementPut } from '../registry/announcements.ts';
import { batchedChanges, type ChangeTogether } from '../requests/batched-changes.ts';
import {
  attributes,
  batchedItems,
  batchGet,
  getRecord,
  type Item,
  ifAbsent,
  keyAttributes,
  putItem,
  withoutDefaults,
} from '../requests/items.ts';
import { pack, unpack } from '../requests/parts.ts';
import type { Table } from '../requests/table.ts';
import { transact, transactedUpdate } from '../requests/transact.ts';
import { changing, equal, exists, updateItem } from '../requests/update-item.ts';
import { waitingNotes } from './evidence-mark.ts';
import { enlist, positionOf, readListed, receiptsAt } from './listed-deliveries.ts';
import { deliveryOf, expiryAttribute, expiryOf, itemOf, type RetentionDays } from './small-payloads.ts';

type ListRequest = Parameters<DeliveryStore['list']>[1];
type Page = Awaited<ReturnType<DeliveryStore['list']>>;

const lookedAtMost = 2_000;

/** A page of the workspace's deliveries, newest or oldest first. The list has their places, and the receipts the rest. */
async function listDeliveries(table: Table, workspace: WorkspaceId, page: ListRequest): Promise<Page> {
  const { limit, oldestFirst = false } = page;
  const isFiltered = page.state !== null || page.connectorId !== null;
  const items: Delivery[] = [];
  let after = page.after;
  for (let looked = 0; ; ) {
    const target = isFiltered ? lookedAtMost / 4 : limit - items.length;
    const { listed, next } = await readListed(table, workspace, { after, oldestFirst, wanted: target });
    const receipts = await receiptsAt(table, workspace, listed);
    items.push(...receipts.filter((item) => passes(item, page)).map(deliveryOf));
    if (items.length > limit) return cut(items, limit);
    looked += listed.length;
    after = next;
    if (after === null || items.length === limit || looked >= lookedAtMost) return { items, next: after };
  }
}

function cut(items: readonly Delivery[], limit: number): Page {
  const remaining = items.slice(0, limit);
  const last = remaining.at(-1);
  return { items: remaining, next: last ? positionOf(last) : null };
}

const passes = (item: Item, { state, connectorId }: DeliveryFilter): boolean =>
  (state === null || item['state']?.S === state) && (connectorId === null || item['connector_id']?.S === connectorId);

export const deliveryReader = (table: Table): Pick<DeliveryStore, 'get' | 'quarantined' | 'list'> => ({
  get: (workspace, id) => getRecord(table, Delivery, deliveryKey(workspace, id)),
  quarantined: (workspace, ids) => quarantined(table, workspace, ids),
  list: (workspace, page) => listDeliveries(table, workspace, page),
});

export function deliveryStore(table: Table, retentionDays: RetentionDays = null): DeliveryStore {
  const waits = waitingNotes(table);
  return {
    ...deliveryReader(table),
    enlist: (delivery, deflated) => enlist(table, delivery, deflated, retentionDays),
    open: async (delivery, dueAt) => {
      const existing = await open(table, delivery, dueAt);
      if (!existing) await waits(delivery);
      return existing;
    },
    nameContent: (delivery, contentId) => nameContent(table, delivery, contentId, retentionDays),
    countDuplicate: async (workspace, id) => {
      const change = changing({ add: { duplicate_count: { N: '1' } }, where: [exists] });
      await updateItem(table, deliveryKey(workspace, id), change);
    },
    begin: (workspace, id, attempt) => begin(table, workspace, id, attempt),
    finish: finisher(table, retentionDays),
    placeIn: async (workspace, id, generation) => {
      await updateItem(
        table,
        deliveryKey(workspace, id),
        changing({ set: attributes({ generation }), where: [exists] }),
      );
    },
    reopen: async (...of) => {
      const reopened = await reopen(table, ...of);
      if (reopened) await waits(reopened);
      return reopened;
    },
  };
}

/** Looks up, and ends, all that are requested in one turn of the event loop by one request, for the messages of a batch. */
export function batchedDeliveries(
  table: Table,
  retentionDays: RetentionDays = null,
): Pick<DeliveryStore, 'get' | 'finish'> {
  const read = batchedItems(table);
  return {
    finish: finisher(table, retentionDays, batchedChanges(table)),
    get: async (workspace, id) => {
      const item = await read(deliveryKey(workspace, id));
      return item ? deliveryOf(item) : null;
    },
  };
}

async function open(table: Table, delivery: Delivery, dueAt: string | null): Promise<Delivery | null> {
  const existing = await putItem(table, itemOf(delivery, dueAt), ifAbsent);
  return existing && deliveryOf(existing);
}

/** The first delivery's id stays, and goes when its receipt does. */
async function nameContent(
  table: Table,
  { workspace_id, delivery_id, ...delivery }: Delivery,
  contentId: DeliveryId,
  retentionDays: RetentionDays,
): Promise<void> {
  const expiresAt = expiryOf(delivery, delivery.received_at, retentionDays);
  const set = { delivery_id: { S: delivery_id }, ...expiryAttribute(expiresAt) };
  await updateItem(
    table,
    keyedContentKey(workspace_id, contentId),
    changing({ set, where: [{ name: 'pk', is: 'missing' }] }),
  );
}

async function begin(
  table: Table,
  workspace: WorkspaceId,
  id: DeliveryId,
  { attempts, open_attempt, dueAt }: Parameters<DeliveryStore['begin']>[2],
): ReturnType<DeliveryStore['begin']> {
  const { item } = await updateItem(table, deliveryKey(workspace, id), {
    ...changing({
      set: attributes({ state: 'processing', attempts, open_attempt, ...dueKey(workspace, id, dueAt) }),
      remove: ['resends'],
      where: [isOpen],
    }),
    ReturnValues: 'ALL_NEW',
  });
  return item && deliveryOf(item);
}

async function reopen(
  table: Table,
  workspace: WorkspaceId,
  id: DeliveryId,
  { from, released, dueAt }: Parameters<DeliveryStore['reopen']>[2],
): ReturnType<DeliveryStore['reopen']> {
  const { item } = await updateItem(table, deliveryKey(workspace, id), {
    ...changing({
      set: attributes({ state: 'accepted', released, ...dueKey(workspace, id, dueAt) }),
      remove: ['attempts', 'open_attempt', 'resends', 'completed_at', 'warnings', 'ttl'],
      where: [equal('state', { S: from })],
    }),
    ReturnValues: 'ALL_NEW',
  });
  return item && deliveryOf(item);
}

const isIn = (states: readonly DeliveryState[]) =>
  ({ name: 'state', is: 'in', values: states.map((state) => ({ S: state })) }) as const;

export const isOpen = isIn(openStates);

async function quarantined(
  table: Table,
  workspace: WorkspaceId,
  ids: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, readonly QuarantinedItem[]>> {
  const items = await batchGet(
    table,
    ids.map((id) => quarantineKey(workspace, id)),
    { consistent: true },
  );
  const byKey = new Map(items.map((item) => [item['pk']?.S, v.parse(v.array(QuarantinedItem), unpack(item['items']))]));
  return new Map(ids.map((id) => [id, byKey.get(quarantineKey(workspace, id).pk) ?? []]));
}

const finisher =
  (table: Table, keptDays: RetentionDays, together: ChangeTogether | null = null): DeliveryStore['finish'] =>
  (delivery, from, finish, notification = null) =>
    finishItem({ table, together }, delivery, from, { ...finish, notification, keptDays });

type Finisher = { readonly table: Table; readonly together: ChangeTogether | null };

/** Ends a delivery once, with its provider's counters and announcement: its new state never opens again. */
async function finishItem(
  { table, together }: Finisher,
  delivery: Delivery,
  from: readonly DeliveryState[],
  {
    notification,
    keptDays,
    ...finish
  }: Finish & { readonly notification: Notification | null; readonly keptDays: RetentionDays },
): Promise<boolean> {
  const expiresAt = endExpiryOf(delivery, finish, keptDays);
  if (finish.quarantined.length > 0) await putQuarantine(table, delivery, finish, expiresAt);
  const values = endingValues(delivery, { ...finish, ttl: expiresAt });
  const invalid = finish.invalid_item_count;
  const unresolved = finish.unresolved.reduce(
    (total, { reason, count }) => (isResolved(reason) ? total : total + count),
    0,
  );
  const { workspace_id, delivery_id, provider_instance_id } = delivery;
  const key = deliveryKey(workspace_id, delivery_id);
  // Most deliveries add nothing to the counters, and a transaction costs twice.
  const counted = invalid > 0 || unresolved > 0;
  if (!counted && notification === null) {
    // One that was never begun or sent again is in no index while its bytes wait in the list: its end removes nothing.
    const isPlain = delivery.open_attempt === null && delivery.resends === 0 && delivery.payload.small;
    if (together && isPlain && finish.state !== 'held' && (await together({ key, set: values, where: neverBegun })))
      return true;
    return (await updateItem(table, key, endingOf(finish.state, from, values))).refused === null;
  }
  const counters = transactedUpdate(
    table,
    deliveryCountersKey(workspace_id, provider_instance_id, delivery_id),
    changing({ add: attributes({ invalid_item_count: invalid, unresolved_asset_count: unresolved }) }),
  );
  return transact(table, [
    transactedUpdate(table, key, endingOf(finish.state, from, values)),
    ...(counted ? [counters] : []),
    ...(notification ? [announcementPut(table, workspace_id, notification)] : []),
  ]);
}

/** Before the delivery says that it has some; a retry of the same bytes finds the same. */
async function putQuarantine(
  table: Table,
  { workspace_id, delivery_id }: Delivery,
  { quarantined }: Finish,
  expiresAt: number | null,
): Promise<void> {
  const key = keyAttributes(quarantineKey(workspace_id, delivery_id));
  await putItem(table, { ...key, items: pack(quarantined), ...expiryAttribute(expiresAt) });
}

/** The days run from the end, so that no open or held delivery goes; what declared something has a time of effect. */
const endExpiryOf = (
  delivery: Delivery,
  { completed_at, effective_at }: Finish,
  retentionDays: RetentionDays,
): number | null =>
  completed_at === null || effective_at !== null ? null : expiryOf(delivery, completed_at, retentionDays);

type Ending = Finish & { readonly ttl: number | null };

const neverBegun = [
  equal('state', { S: 'accepted' }),
  { name: 'open_attempt', is: 'missing' },
  { name: 'gsi2pk', is: 'missing' },
] as const;

function endingValues(delivery: Delivery, { quarantined, ...finish }: Ending): Item {
  const { workspace_id, delivery_id, received_at } = delivery;
  const values = withoutDefaults({
    ...finish,
    has_quarantine: quarantined.length > 0,
    ...(finish.state === 'held' && heldKey(workspace_id, delivery_id, received_at)),
  });
  return attributes(Object.fromEntries(values));
}

const endingOf = (state: DeliveryState, from: readonly DeliveryState[], set: Item) =>
  changing({
    set,
    remove: ['open_attempt', ...(state === 'held' ? [] : ['gsi2pk', 'gsi2sk'])],
    where: [isIn(from)],
  });
