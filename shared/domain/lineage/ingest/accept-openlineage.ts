import { ConnectorId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { LineageDeliveryReceipt } from '../../../contract/lineage.ts';
import { Problem } from '../../../contract/problems.ts';
import { isJsonObject, malformedJson, readJson } from '../../base/json/read-json.ts';
import { noActivity } from '../providers/activity.ts';
import { intakeRefusal, type Provider } from '../providers/provider.ts';
import type { Delivery } from './deliveries/delivery.ts';
import {
  countDuplicate,
  keyedProvider,
  newDelivery,
  openDelivery,
  openLineageDeliveryId,
  payloadOf,
  plainProviderId,
  type Received,
  unknownConnector,
} from './open-delivery.ts';
import type { IntakePorts } from './ports.ts';

export type OpenLineageRequest = {
  readonly workspace: WorkspaceId;
  readonly kind: 'openlineage_event' | 'openlineage_batch';
  readonly connectorId: string | null;
  readonly providerKey: string | null;
  readonly idempotencyKey: string | null;
  readonly payload: Received;
  /** For finding the delivery in logs. */
  readonly requestId?: string;
};

/** Durably and once (C-OPENLINEAGE-1, C-INGEST-5, C-INGEST-11). Throws the 4xx codes of C-ERROR-9. */
export async function acceptOpenLineage(
  ports: IntakePorts,
  request: OpenLineageRequest,
): Promise<LineageDeliveryReceipt> {
  const { workspace, kind, requestId, idempotencyKey: key } = request;
  const { itemCount, refusedItemCount, hasStaticEvents } = (kind === 'openlineage_batch' ? readBatch : readEvent)(
    request.payload.bytes,
  );
  const now = ports.clock.now();
  const connectorId = connectorIdOf(request);
  const feed = feedOf(request, connectorId, now);
  const payload = payloadOf(ports, request.payload);
  const byContent = key === null;
  const place = { byContent, provider: feed.id, connector: connectorId };
  const lookUp = async (digest: string) => {
    const contentId = openLineageDeliveryId(workspace, { kind, provider: feed.id, digest });
    const id = byContent ? contentId : openLineageDeliveryId(workspace, { key });
    return { contentId, id, known: await ports.known(workspace, { delivery: id, ...place }) };
  };
  const first = await lookUp(payload.digest);
  const forgottenAt = byContent && first.known.delivery ? await forgottenSince(ports, first.known.delivery) : null;
  const { contentId, id, known } = forgottenAt === null ? first : await lookUp(`${payload.digest} ${forgottenAt}`);
  if (connectorId !== null && known.connector === null) throw noSuchConnector();
  const bound = known.provider ?? (await ports.providers.create(feed));
  if (bound.connector_id !== connectorId)
    throw new Problem('lineage_provider_scope_conflict', {
      message: 'The provider key is bound to another connector, or was first used without one.',
      errors: [{ path: '/query/provider_key', message: 'must be a key of this connector' }],
    });
  // Accepted deliveries stay accepted, even if the feed is paused now.
  const provider = known.delivery ? bound : await admitted(ports, bound, now);
  const delivery = newDelivery({ id, receivedAt: now, requestId }, provider, payload, {
    kind,
    item_count: itemCount,
    refused_item_count: refusedItemCount,
    has_static_events: hasStaticEvents,
    scope_key: null,
    completeness: null,
    order: null,
    content_digest: payload.digest,
  });
  if (known.delivery) return duplicateOf(ports, known.delivery, delivery);
  const opened = await openDelivery(ports, delivery, payload, contentId);
  return opened.duplicate ? duplicateOf(ports, opened.delivery, delivery) : receiptOf(delivery, false);
}

/** The last time since a delivery at which a scope was forgotten: content that was sent before is no repeat then (C-INGEST-17). */
async function forgottenSince(
  { acceptances }: IntakePorts,
  { workspace_id, received_at }: Delivery,
): Promise<string | null> {
  const moments = Object.values(await acceptances.forgotten(workspace_id)).flatMap((all) => all.map(({ at }) => at));
  const last = moments.sort().at(-1);
  return last !== undefined && last > received_at ? last : null;
}

function connectorIdOf({ connectorId }: OpenLineageRequest): ConnectorId | null {
  const id = connectorId === null ? null : idOrNull(ConnectorId, connectorId);
  if (id === null && connectorId !== null) throw noSuchConnector();
  return id;
}

const noSuchConnector = () => unknownConnector('/query/connector_id');

/** The feed of a request, as it is made where the request is its first. */
function feedOf({ workspace, providerKey }: OpenLineageRequest, connectorId: ConnectorId | null, now: Date): Provider {
  const keyed = keyedProvider(workspace, providerKey ?? 'OpenLineage', connectorId, now);
  return providerKey === null ? { ...keyed, id: plainProviderId(workspace, keyed.provider_type, connectorId) } : keyed;
}

async function admitted(ports: IntakePorts, provider: Provider, now: Date): Promise<Provider> {
  const refusal = intakeRefusal(provider);
  if (refusal === null) return provider;
  await ports.activity.record(
    { workspace_id: provider.workspace_id, provider_instance_id: provider.id },
    { ...noActivity, last_received_at: now.toISOString() },
  );
  throw new Problem(refusal);
}

async function duplicateOf(ports: IntakePorts, first: Delivery, repeat: Delivery): Promise<LineageDeliveryReceipt> {
  if (first.provider_instance_id !== repeat.provider_instance_id) throw new Problem('lineage_provider_scope_conflict');
  if (first.content_digest !== repeat.content_digest || first.kind !== repeat.kind) {
    throw new Problem('lineage_idempotency_conflict');
  }
  await countDuplicate(ports, first);
  return receiptOf(first, true);
}

const receiptOf = (delivery: Delivery, duplicate: boolean): LineageDeliveryReceipt => ({
  delivery_id: delivery.delivery_id,
  state: 'accepted',
  duplicate,
  item_count: delivery.item_count,
  invalid_item_count: delivery.refused_item_count,
});

type CountedEvents = {
  readonly itemCount: number;
  readonly refusedItemCount: number;
  /** Whether some event has no run. */
  readonly hasStaticEvents: boolean;
};

/** One event. Throws the 400 codes of C-OPENLINEAGE-5. */
export function readEvent(bytes: Uint8Array): CountedEvents {
  const event = jsonOf(bytes);
  if (!isJsonObject(event)) throw new Problem('openlineage_invalid_event');
  return { itemCount: 1, refusedItemCount: 0, hasStaticEvents: hasNoRun(event) };
}

/** An array of events, or an object that has one as `events`: 1 to 1,000. Throws as `readEvent`, and 413. */
export function readBatch(bytes: Uint8Array): CountedEvents {
  const body = jsonOf(bytes);
  if (isJsonObject(body) && Object.keys(body).some((name) => name !== 'events'))
    throw new Problem('openlineage_invalid_batch', {
      message: 'Unsupported envelope shape: it must have no field but events.',
    });
  const events = eventsOf(body);
  if (events === null || events.length < limits.openlineage.batch.min) throw new Problem('openlineage_invalid_batch');
  if (events.length > limits.openlineage.batch.max) throw new Problem('openlineage_batch_too_large');
  const objects = events.filter(isJsonObject);
  return {
    itemCount: events.length,
    refusedItemCount: events.length - objects.length,
    hasStaticEvents: objects.some(hasNoRun),
  };
}

const hasNoRun = (event: Readonly<Record<string, unknown>>): boolean => !isJsonObject(event['run']);

/** The children of a batch body; null if it is of no form that a batch has. */
export function eventsOf(body: unknown): readonly unknown[] | null {
  const events = isJsonObject(body) ? body['events'] : body;
  return Array.isArray(events) ? events : null;
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Problem('openlineage_body_required');
  const read = readJson(bytes);
  if (!read.ok) throw malformedJson('openlineage_invalid_json', read);
  return read.value;
}
