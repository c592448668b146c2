import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DeliveryId, WorkspaceId } from '../../../contract/ids.ts';
import { smallPayloadBytes } from '../../../contract/raw-bucket.ts';
import type { Delivery } from './delivery.ts';

/** A small payload as it came has no more: longer ones hardly ever deflate to so little, and are not tried. */
export const inflatedBytes = 64 * 1_024;

/** A payload that is kept with others of its hour: where it is found, and its SHA-256. */
export type SmallPayloadPlace = {
  readonly workspace_id: WorkspaceId;
  readonly delivery_id: DeliveryId;
  readonly received_at: string;
  readonly digest: string;
};

export type SmallPayload = SmallPayloadPlace & { readonly deflated: Uint8Array };

/** Those of a workspace wait in so many lists: one takes 1,000 units a second, and a payload is up to three. */
export const smallPayloadLists = 8;

export const listOf = ({ delivery_id }: Pick<SmallPayloadPlace, 'delivery_id'>): number =>
  Number.parseInt(delivery_id.slice(0, 2), 16) % smallPayloadLists;

/** The hour of a time: `2026-11-23T00`. Payloads are archived by the hour of their receipt. */
export const hourOf = (time: string): string => time.slice(0, 13);

export const placeOf = ({ workspace_id, delivery_id, received_at, payload }: Delivery): SmallPayloadPlace => ({
  workspace_id,
  delivery_id,
  received_at,
  digest: payload.digest,
});

/** The bytes deflated; null where they do not fit an item of the table. */
export function deflateSmall(bytes: Uint8Array): Uint8Array | null {
  if (bytes.byteLength > inflatedBytes) return null;
  const deflated = deflateRawSync(bytes);
  return deflated.byteLength <= smallPayloadBytes ? deflated : null;
}

/** The bytes as they came. Throws where they are not what `deflateSmall` makes. */
export const inflateSmall = (deflated: Uint8Array): Uint8Array =>
  inflateRawSync(deflated, { maxOutputLength: inflatedBytes });
