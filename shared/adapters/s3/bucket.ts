import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** A bucket and the client that reaches it. */
export type Bucket = { readonly client: S3Client; readonly name: string };

export type Content = { readonly type: string; readonly encoding?: string };

export async function putObject(bucket: Bucket, key: string, bytes: Uint8Array, content: Content): Promise<void> {
  await bucket.client.send(
    new PutObjectCommand({
      Bucket: bucket.name,
      Key: key,
      Body: bytes,
      ContentType: content.type,
      ...(content.encoding && { ContentEncoding: content.encoding }),
    }),
  );
}

/** Null where there is no such object. */
export async function getObject(bucket: Bucket, key: string): Promise<Uint8Array | null> {
  try {
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key }));
    return Body ? await Body.transformToByteArray() : new Uint8Array();
  } catch (error) {
    if (error instanceof NoSuchKey) return null;
    throw error;
  }
}

export async function deleteObject(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }));
}
