import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Fault } from '../../contract/fault.ts';
import { rawPrefix } from '../../contract/raw-bucket.ts';
import type { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import { type Bucket, streamObject } from './bucket.ts';

/** Puts a payload into the raw bucket, as it came. */
export const putPayload =
  (bucket: Bucket) =>
  async (delivery: Delivery, bytes: Uint8Array): Promise<void> => {
    await bucket.client.send(
      new PutObjectCommand({
        Bucket: bucket.name,
        Key: payloadKey(delivery),
        Body: bytes,
        ContentLength: bytes.byteLength,
        ContentType: delivery.payload.content_type,
      }),
    );
  };

/** A payload that is an object of its own. Throws where it is not there. */
export async function streamPayload(bucket: Bucket, delivery: Delivery): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await streamObject(bucket, payloadKey(delivery));
  if (bytes === null) throw payloadMissing();
  return bytes;
}

/** An accepted delivery whose bytes are gone: nothing that a client did. */
export const payloadMissing = () => new Fault('payload_missing', 'a stored payload is not there');

/** The digest is part of the key: what a refused request brought under the same delivery overwrites nothing. */
export const payloadKey = ({ workspace_id, delivery_id, payload }: Delivery) =>
  `${rawPrefix}${workspace_id}/${delivery_id}/${payload.digest}`;
