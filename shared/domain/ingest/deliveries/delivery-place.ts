import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import type { Delivery } from './delivery.ts';

/** Where a delivery stands in the lists of its workspace, and the SHA-256 of its payload. */
export type DeliveryPlace = {
  readonly workspace_id: WorkspaceId;
  readonly delivery_id: DeliveryId;
  readonly received_at: string;
  readonly digest: string;
};

/** Those of a workspace stand in so many lists: one takes 1,000 units a second, and an entry is up to three. */
export const deliveryLists = 8;

export const listOf = ({ delivery_id }: Pick<DeliveryPlace, 'delivery_id'>): number =>
  Number.parseInt(delivery_id.slice(0, 2), 16) % deliveryLists;

export const placeOf = ({ workspace_id, delivery_id, received_at, payload }: Delivery): DeliveryPlace => ({
  workspace_id,
  delivery_id,
  received_at,
  digest: payload.digest,
});
