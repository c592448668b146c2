import * as v from 'valibot';
import {
  ConnectorId,
  type DeliveryId,
  idOrNull,
  type ProviderInstanceId,
  type WorkspaceId,
} from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { DeliveryKind } from '../../../contract/vocabulary.ts';
import { uuidOf } from '../../base/collections.ts';
import { isSent } from '../../base/concurrency.ts';
import { jsonDigest, sha256 } from '../../base/digest.ts';
import type { Connector } from '../names/connector.ts';
import { receiptAt } from '../providers/activity.ts';
import type { Provider } from '../providers/provider.ts';
import { Delivery, dueAfterSend } from './deliveries/delivery.ts';
import { messageOf } from './deliveries/ports.ts';
import { deflateSmall } from './deliveries/read-payload.ts';
import type { IntakePorts } from './ports.ts';

/** Bytes as received, wherever they are. */
export type Payload = {
  /** SHA-256. */
  readonly digest: string;
  readonly contentType: string;
  readonly contentEncoding: string | null;
  /** Deflated, if they are small: the list of deliveries has them then. */
  readonly deflated: Uint8Array | null;
  /** Puts them where others are kept. */
  readonly keep: (delivery: Delivery) => Promise<void>;
};

export type Received = Pick<Payload, 'contentType' | 'contentEncoding'> & { readonly bytes: Uint8Array };

/** The payload of a new delivery, with its digest; nothing is stored before `keep` is called. */
export function payloadOf(
  { payloads }: Pick<IntakePorts, 'payloads'>,
  { bytes, contentType, contentEncoding }: Received,
): Payload {
  return {
    digest: sha256(bytes).toString('base64url'),
    contentType,
    contentEncoding,
    deflated: deflateSmall(bytes),
    keep: (delivery) => payloads.put(delivery, bytes),
  };
}

type NewDelivery = Pick<
  Delivery,
  | 'kind'
  | 'item_count'
  | 'refused_item_count'
  | 'has_static_events'
  | 'scope_key'
  | 'completeness'
  | 'order'
  | 'content_digest'
>;

type Acceptance = { readonly id: DeliveryId; readonly receivedAt: Date; readonly requestId?: string | undefined };

/** What nobody has worked on has of the fields that working sets. */
const untouched = { ...v.getDefaults(Delivery), warnings: [], unresolved: [], ignored: [] };

export function newDelivery(
  { id, receivedAt, requestId }: Acceptance,
  provider: Provider,
  { contentType, contentEncoding, digest, deflated }: Payload,
  content: NewDelivery,
): Delivery {
  return {
    ...untouched,
    delivery_id: id,
    workspace_id: provider.workspace_id,
    connector_id: provider.connector_id,
    provider_instance_id: provider.id,
    provider_type: provider.provider_type,
    state: 'accepted',
    received_at: receivedAt.toISOString(),
    request_id: requestId ?? null,
    payload: { digest, content_type: contentType, content_encoding: contentEncoding, small: deflated !== null },
    ...content,
  };
}

export type Opened = {
  readonly delivery: Delivery;
  /** Another request opened it first. */
  readonly duplicate: boolean;
  readonly dispatched: boolean;
};

/**
 * Makes an acceptance durable, only in this order: the bytes and the entry of the list, so that no receipt points at
 * nothing or stands nowhere; the receipt, one conditional write; the message, which may be lost, for the sweep finds an
 * open receipt and sends it again: by its due time, or while its bytes wait in the list by that.
 * A delivery with a key is found by its content too: a name without a receipt leads nowhere, so the name comes first.
 */
export async function openDelivery(
  ports: IntakePorts,
  delivery: Delivery,
  payload: Payload,
  contentId: DeliveryId,
): Promise<Opened> {
  await Promise.all([
    ports.deliveries.enlist(delivery, payload.deflated),
    payload.deflated === null && payload.keep(delivery),
    contentId !== delivery.delivery_id && ports.deliveries.nameContent(delivery, contentId),
  ]);
  const dueAt = payload.deflated === null ? dueAfterSend(ports.clock.now()) : null;
  const first = await ports.deliveries.open(delivery, dueAt);
  if (first) return { delivery: first, duplicate: true, dispatched: false };
  const dispatched = await isSent(
    () => ports.queue.send(messageOf(delivery)),
    (error) => ports.onSendFailed(delivery, error),
  );
  return { delivery, duplicate: false, dispatched };
}

/** Counts a request that was received again: it brings nothing new. */
export async function countDuplicate(ports: IntakePorts, delivery: Delivery): Promise<void> {
  await Promise.all([
    ports.deliveries.countDuplicate(delivery.workspace_id, delivery.delivery_id),
    ports.activity.record(delivery, receiptAt(ports.clock.now().toISOString())),
  ]);
}

/** The connector of an ingestion. Throws `validation_error` at its place where the workspace has none of that id. */
export async function requireConnector(
  ports: Pick<IntakePorts, 'connectors'>,
  workspace: WorkspaceId,
  text: string,
): Promise<Connector> {
  const id = idOrNull(ConnectorId, text);
  const connector = id && (await ports.connectors.get(workspace, id));
  if (connector) return connector;
  throw unknownConnector('/connector_id');
}

export const unknownConnector = (path: string): Problem =>
  new Problem('validation_error', { errors: [{ path, message: 'must be the id of a connector of the workspace' }] });

/** Two requests that mean one delivery write one item, however close together they come (C-INGEST-5, C-INGEST-7). */

/** An OpenLineage delivery: by its key in the workspace, else by route, feed and bytes. */
export const openLineageDeliveryId = (
  workspace: WorkspaceId,
  same:
    | { readonly key: string }
    | { readonly kind: DeliveryKind; readonly provider: ProviderInstanceId; readonly digest: string },
): DeliveryId =>
  ('key' in same
    ? derivedUuid('openlineage-key', workspace, same.key)
    : derivedUuid('openlineage-bytes', workspace, same.kind, same.provider, same.digest)) as DeliveryId;

/** By its key in the workspace, else by its content since the scope's last complete snapshot, whose number is `epoch`. */
export const declaredDeliveryId = (
  workspace: WorkspaceId,
  kind: DeliveryKind,
  same: { readonly key: string } | { readonly digest: string; readonly scopeKey: string; readonly epoch: number },
): DeliveryId =>
  derivedUuid(
    'key' in same ? 'declared-key' : 'declared-content',
    ...[workspace, kind],
    ...('key' in same ? [same.key] : [same.digest, same.scopeKey, String(same.epoch)]),
  ) as DeliveryId;

/** A feed that names itself: the same key is the same feed, whatever connector a later request gives. */
export const keyedProviderId = (workspace: WorkspaceId, providerKey: string): ProviderInstanceId =>
  derivedUuid('provider-key', workspace, providerKey) as ProviderInstanceId;

export const keyedProvider = (
  workspace_id: WorkspaceId,
  providerKey: string,
  connector_id: ConnectorId | null,
  now: Date,
): Provider => ({
  id: keyedProviderId(workspace_id, providerKey),
  workspace_id,
  connector_id,
  provider_type: 'openlineage',
  display_name: providerKey,
  status: 'active',
  status_at: now.toISOString(),
});

/** The one feed of a type that a connector, or the workspace without one, has. */
export const plainProviderId = (
  workspace: WorkspaceId,
  providerType: string,
  connector: ConnectorId | null,
): ProviderInstanceId => derivedUuid('provider', workspace, providerType, connector ?? '') as ProviderInstanceId;

/** Of the SHA-256 of the parts, which JSON keeps apart. */
const derivedUuid = (...parts: readonly string[]): string => uuidOf(jsonDigest(parts));
