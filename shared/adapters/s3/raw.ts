import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Fault } from '../../contract/fault.ts';
import { rawPrefix } from '../../contract/raw-bucket.ts';
import type { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import type { PayloadStore } from '../../domain/ingest/deliveries/ports.ts';
import { type Bucket, streamObject } from './bucket.ts';

/** Payloads in the raw bucket. */
export const payloadStore = (bucket: Bucket): PayloadStore => ({ ...payloadWriter(bucket), ...payloadReader(bucket) });

export function payloadWriter(bucket: Bucket): Pick<PayloadStore, 'put'> {
  return {
    put: async (delivery, bytes) => {
      await bucket.client.send(
        new PutObjectCommand({
          Bucket: bucket.name,
          Key: payloadKey(delivery),
          Body: bytes,
          ContentLength: bytes.byteLength,
          ContentType: delivery.payload.content_type,
        }),
      );
    },
  };
}

export const payloadReader = (bucket: Bucket): Pick<PayloadStore, 'stream'> => ({
  stream: async (delivery) => {
    const bytes = await streamObject(bucket, payloadKey(delivery));
    if (bytes === null) throw new Fault('payload_missing', 'a stored payload is not there');
    return bytes;
  },
});

/** The digest is part of the key: what a refused request brought under the same delivery overwrites nothing. */
export const payloadKey = ({ workspace_id, delivery_id, payload }: Delivery) =>
  `${rawPrefix}${workspace_id}/${delivery_id}/${payload.digest}`;
