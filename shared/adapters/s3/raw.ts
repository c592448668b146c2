import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { PayloadStore } from '../../domain/deliveries/ports.ts';
import { streamObject } from './bucket.ts';

/** Payloads in the raw bucket. */
export function payloadStore({ client, bucket }: Bucket): PayloadStore {
  return {
    put: async (delivery, bytes) => {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: payloadKey(delivery),
          Body: bytes,
          ContentLength: bytes.byteLength,
          ContentType: delivery.payload.content_type,
        }),
      );
    },
    stream: async (delivery) => {
      const bytes = await streamObject({ client, name: bucket }, payloadKey(delivery));
      if (bytes === null) throw new Error('a stored payload is not there');
      return bytes;
    },
  };
}

type Bucket = { readonly client: S3Client; readonly bucket: string };

/** The digest is part of the key: what a refused request brought under the same delivery overwrites nothing. */
export const payloadKey = ({ workspace_id, delivery_id, payload }: Delivery) =>
  `raw/${workspace_id}/${delivery_id}/${payload.digest}`;
