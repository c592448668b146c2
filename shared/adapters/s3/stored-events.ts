import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { workspacePrefix } from '../../contract/lake.ts';
import { type Bucket, getObject } from './bucket.ts';

/** The keys of all objects that hold events of a workspace, oldest partition first. */
export async function storedObjects(bucket: Bucket, workspaceId: string): Promise<readonly string[]> {
  const keys: string[] = [];
  const input = { Bucket: bucket.name, Prefix: workspacePrefix(workspaceId) };
  for await (const page of paginateListObjectsV2({ client: bucket.client }, input))
    for (const { Key } of page.Contents ?? []) if (Key) keys.push(Key);
  return keys.sort();
}

export async function readStoredObject(bucket: Bucket, key: string): Promise<Uint8Array> {
  const bytes = await getObject(bucket, key);
  if (bytes === null) throw new Error('a listed object is gone');
  return bytes;
}
