import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Fault } from '../../contract/problems.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

export type Bucket = { readonly client: S3Client; readonly name: string };

type Content = { readonly type: string; readonly encoding?: string };

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

/** As gzip JSON. */
export async function putJson(bucket: Bucket, key: string, value: unknown): Promise<void> {
  const bytes = await zip(JSON.stringify(value));
  await putObject(bucket, key, bytes, { type: 'application/json', encoding: 'gzip' });
}

/** What `putJson` wrote there; null if there is no such object. */
export async function getJson(bucket: Bucket, key: string): Promise<unknown> {
  const bytes = await getObject(bucket, key);
  return bytes && JSON.parse((await unzip(bytes)).toString());
}

/** The bytes of an object as received; null if there is none. */
export async function streamObject(bucket: Bucket, key: string): Promise<AsyncIterable<Uint8Array> | null> {
  const body = await bodyOf(bucket, key);
  if (body === null || body instanceof Readable) return body;
  throw new Fault('object_body_not_stream', 'the body of an object is no stream of this platform');
}

type Range = { readonly from: number; readonly bytes: number };

/** All bytes, or those of a range, fewer where the object ends before; null if there is no such object. */
export async function getObject(bucket: Bucket, key: string, range?: Range): Promise<Uint8Array | null> {
  const body = await bodyOf(bucket, key, range);
  return (await body?.transformToByteArray()) ?? null;
}

/** Copies an object within its bucket: its bytes do not pass through here. */
export async function copyObject(bucket: Bucket, from: string, to: string, content: Content): Promise<void> {
  await bucket.client.send(
    new CopyObjectCommand({
      Bucket: bucket.name,
      Key: to,
      CopySource: `${bucket.name}/${from}`,
      MetadataDirective: 'REPLACE',
      ContentType: content.type,
    }),
  );
}

async function bodyOf(bucket: Bucket, key: string, range?: Range) {
  try {
    const ranged = range && { Range: `bytes=${range.from}-${range.from + range.bytes - 1}` };
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key, ...ranged }));
    if (!Body) throw new Fault('object_body_missing', 'a stored object has no body');
    return Body;
  } catch (error) {
    if (error instanceof NoSuchKey) return null;
    throw error;
  }
}

/** Also where there is none. */
export async function deleteObject(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }));
}

type Listing = { readonly Prefix: string; readonly StartAfter?: string; readonly Delimiter?: string };

export async function* keysIn(bucket: Bucket, listing: Listing): AsyncGenerator<string> {
  for await (const { Contents = [] } of pagesOf(bucket, listing)) for (const { Key = '' } of Contents) yield Key;
}

/** What the keys below a prefix have in common up to the next `/`. */
export async function foldersIn(bucket: Bucket, Prefix: string): Promise<string[]> {
  const folders: string[] = [];
  for await (const { CommonPrefixes = [] } of pagesOf(bucket, { Prefix, Delimiter: '/' }))
    folders.push(...CommonPrefixes.map((one) => one.Prefix ?? ''));
  return folders;
}

const pagesOf = (bucket: Bucket, listing: Listing) =>
  paginateListObjectsV2({ client: bucket.client }, { Bucket: bucket.name, ...listing });
