import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { PayloadStore } from '../../domain/deliveries/ports.ts';

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
    stream: async (delivery) => (await bodyOf({ client, bucket }, delivery)).transformToWebStream(),
  };
}

type Bucket = { readonly client: S3Client; readonly bucket: string };

async function bodyOf({ client, bucket }: Bucket, delivery: Delivery) {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: payloadKey(delivery) }));
  if (!Body) throw new Error('a stored payload has no body');
  return Body;
}

/** The digest is part of the key: what a refused request brought under the same delivery overwrites nothing. */
export const payloadKey = ({ workspace_id, delivery_id, payload }: Delivery) =>
  `raw/${workspace_id}/${delivery_id}/${payload.digest}`;
