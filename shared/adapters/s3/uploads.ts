import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { UploadPlace } from '../../domain/ingest/uploads/ports.ts';
import type { Upload } from '../../domain/ingest/uploads/upload.ts';
import { type Bucket, copyObject, streamObject } from './bucket.ts';
import { payloadKey } from './raw.ts';

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
      // A header that were moved into the URL would be signed, and not compared with what comes.
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    });
    return { url, headers: { 'content-length': String(upload.content_length), 'x-amz-checksum-sha256': checksum } };
  },
  read: (upload) => streamObject(bucket, keyOf(upload)),
  keep: (upload, delivery) =>
    copyObject(bucket, keyOf(upload), payloadKey(delivery), { type: delivery.payload.content_type }),
});

const keyOf = ({ workspace_id, upload_id }: Upload): string => `uploads/${workspace_id}/${upload_id}`;
