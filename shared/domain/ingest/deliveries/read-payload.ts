import { gunzipSync } from 'node:zlib';
import { Fault } from '../../../contract/fault.ts';
import { limits } from '../../../contract/limits.ts';
import type { Delivery } from './delivery.ts';
import type { PayloadStore } from './ports.ts';

type PayloadRead =
  | { readonly kind: 'read'; readonly body: unknown }
  /** It has more bytes than were asked for, as they came or inflated. */
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
