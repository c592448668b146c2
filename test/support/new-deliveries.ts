import { randomUUID } from 'node:crypto';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { DeliveryKind } from '../../shared/contract/vocabulary.ts';
import type { Delivery } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { newDelivery, type Payload, plainProviderId } from '../../shared/domain/lineage/ingest/open-delivery.ts';

/** A delivery that was accepted just now, without bytes that anybody could read. */
export function anyDelivery(workspace: WorkspaceId, kind: DeliveryKind, receivedAt = new Date()): Delivery {
  const provider = {
    id: plainProviderId(workspace, 'openlineage', null),
    workspace_id: workspace,
    connector_id: null,
    provider_type: 'openlineage',
    display_name: 'feed',
    status: 'active',
    status_at: receivedAt.toISOString(),
  } as const;
  const content = {
    item_count: 1,
    refused_item_count: 0,
    has_static_events: false,
    scope_key: null,
    completeness: null,
    order: null,
  };
  const id = randomUUID() as DeliveryId;
  return newDelivery({ id, receivedAt }, provider, noPayload, { ...content, kind, content_digest: id });
}

/** Kept nowhere. */
export const noPayload: Payload = {
  digest: 'digest',
  contentType: 'application/json',
  contentEncoding: null,
  deflated: null,
  keep: async () => undefined,
};
