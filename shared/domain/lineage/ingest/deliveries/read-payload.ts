import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import { smallPayloadBytes } from '../../../../contract/lake.ts';
import { limits } from '../../../../contract/limits.ts';
import { Fault } from '../../../../contract/problems.ts';
import type { Delivery, DeliveryPlace } from './delivery.ts';
import type { PayloadStore } from './ports.ts';

type PayloadRead =
  | { readonly kind: 'read'; readonly body: unknown }
  /** It has more bytes than were asked for, as received or inflated. */
  | { readonly kind: 'too_large' }
  /** Somebody has removed it. */
  | { readonly kind: 'missing' };

/** The JSON value that a delivery brought; it was read once by the intake API, so that it is well-formed. */
export async function readPayload(
  { payloads }: { readonly payloads: Pick<PayloadStore, 'stream'> },
  delivery: Delivery,
  maxBytes: number = limits.declared.bodyBytes,
): Promise<PayloadRead> {
  const stream = await streamOf(payloads, delivery);
  if (stream === null) return { kind: 'missing' };
  const bytes = await atMost(stream, maxBytes);
  const plain = bytes && delivery.payload.content_encoding === 'gzip' ? inflate(bytes, maxBytes) : bytes;
  if (plain === null) return { kind: 'too_large' };
  return { kind: 'read', body: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)) };
}

async function streamOf(payloads: Pick<PayloadStore, 'stream'>, delivery: Delivery) {
  try {
    return await payloads.stream(delivery);
  } catch (error) {
    if (error instanceof Fault && error.code === 'payload_missing') return null;
    throw error;
  }
}

async function atMost(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

/** A small payload as received has no more: longer ones hardly ever deflate to so little, and are not tried. */
export const inflatedBytes = 64 * 1_024;

/** A payload that waits in the list of its workspace for the archive of its hour. */
export type SmallPayload = DeliveryPlace & {
  readonly deflated: Uint8Array;
  /** When its entry goes, in seconds since 1970; null: never. */
  readonly expiresAt: number | null;
};

/** The hour of a time: `2026-11-23T00`. Payloads are archived by the hour of their receipt. */
export const hourOf = (time: string): string => time.slice(0, 13);

/** The bytes deflated; null if they do not fit an item of the table. */
export function deflateSmall(bytes: Uint8Array): Uint8Array | null {
  if (bytes.byteLength > inflatedBytes) return null;
  const deflated = deflateRawSync(bytes);
  return deflated.byteLength <= smallPayloadBytes ? deflated : null;
}

/** The bytes as received. Throws where they are not what `deflateSmall` makes. */
export const inflateSmall = (deflated: Uint8Array): Uint8Array =>
  inflateRawSync(deflated, { maxOutputLength: inflatedBytes });
