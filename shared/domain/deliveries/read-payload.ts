import { gunzipSync } from 'node:zlib';
import { limits } from '../../contract/limits.ts';
import type { Delivery } from './delivery.ts';
import type { PayloadStore } from './ports.ts';

/** The JSON value that a delivery brought; it was read once at the door, so that it cannot fail here. */
export async function readPayload(
  { payloads }: { readonly payloads: PayloadStore },
  delivery: Delivery,
): Promise<unknown> {
  const bytes = await payloads.get(delivery);
  const plain = delivery.payload.content_encoding === 'gzip' ? inflate(bytes) : bytes;
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain));
}

const inflate = (bytes: Uint8Array) => gunzipSync(bytes, { maxOutputLength: limits.declared.bodyBytes });
