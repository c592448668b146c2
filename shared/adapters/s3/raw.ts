import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { rawPrefix } from '../../contract/lake.ts';
import { Fault } from '../../contract/problems.ts';
import type { Delivery } from '../../domain/lineage/ingest/deliveries/delivery.ts';
import { otherBytes } from '../../domain/lineage/ingest/uploads/read-upload.ts';
import type { Upload, UploadPlace } from '../../domain/lineage/ingest/uploads/upload.ts';
import { type Bucket, copyObject, streamObject } from './bucket.ts';

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

/** A payload that is its own object. Throws where it is not there. */
export async function streamPayload(bucket: Bucket, delivery: Delivery): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await streamObject(bucket, payloadKey(delivery));
  if (bytes === null) throw payloadMissing();
  return bytes;
}

/** An accepted delivery whose bytes are gone: nothing that a client did. */
export const payloadMissing = () => new Fault('payload_missing', 'a stored payload is not there');

/** The digest is part of the key: what a refused request brought under the same delivery overwrites nothing. */
const payloadKey = ({ workspace_id, delivery_id, payload }: Delivery) =>
  `${rawPrefix}${workspace_id}/${delivery_id}/${payload.digest}`;

/** Uploads under a prefix of the raw bucket whose objects expire. */
export const uploadPlace = (bucket: Bucket): UploadPlace => ({
  sign: async (upload, seconds) => {
    const checksum = Buffer.from(upload.sha256, 'hex').toString('base64');
    const command = new PutObjectCommand({
      Bucket: bucket.name,
      Key: keyOf(upload),
      ContentLength: upload.content_length,
      ChecksumSHA256: checksum,
    });
    const url = await getSignedUrl(bucket.client, command, {
      expiresIn: seconds,
      // A header in the URL would be signed but not compared with the upload.
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    });
    return { url, headers: { 'content-length': String(upload.content_length), 'x-amz-checksum-sha256': checksum } };
  },
  read: async (upload) => {
    const chunks = await streamObject(bucket, keyOf(upload));
    return chunks && ofAnnouncedDigest(chunks);
  },
  keep: (upload, delivery) =>
    copyObject(bucket, keyOf(upload), payloadKey(delivery), { type: delivery.payload.content_type }),
});

/** An emulator stores other bytes under the digest of the announcement, and the SDK's stream then fails at their end. */
async function* ofAnnouncedDigest(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof Error && error.message.startsWith('Checksum mismatch') ? otherBytes('/sha256') : error;
  }
}

const keyOf = ({ workspace_id, upload_id }: Upload): string => `uploads/${workspace_id}/${upload_id}`;
