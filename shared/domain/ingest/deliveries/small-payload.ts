import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { smallPayloadBytes } from '../../../contract/raw-bucket.ts';
import type { DeliveryPlace } from './delivery-place.ts';

/** A small payload as it came has no more: longer ones hardly ever deflate to so little, and are not tried. */
export const inflatedBytes = 64 * 1_024;

/** A payload that waits in the list of its workspace for the archive of its hour. */
export type SmallPayload = DeliveryPlace & {
  readonly deflated: Uint8Array;
  /** When its entry goes, in seconds since 1970; null: never. */
  readonly expiresAt: number | null;
};

/** The hour of a time: `2026-11-23T00`. Payloads are archived by the hour of their receipt. */
export const hourOf = (time: string): string => time.slice(0, 13);

/** The bytes deflated; null where they do not fit an item of the table. */
export function deflateSmall(bytes: Uint8Array): Uint8Array | null {
  if (bytes.byteLength > inflatedBytes) return null;
  const deflated = deflateRawSync(bytes);
  return deflated.byteLength <= smallPayloadBytes ? deflated : null;
}

/** The bytes as they came. Throws where they are not what `deflateSmall` makes. */
export const inflateSmall = (deflated: Uint8Array): Uint8Array =>
  inflateRawSync(deflated, { maxOutputLength: inflatedBytes });
