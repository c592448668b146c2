import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { Fault } from '../../contract/fault.ts';
import { type LakeObject, lakeObjectKey, lakeObjectOf, workspacePrefix } from '../../contract/lake.ts';
import { sortedBy } from '../../domain/sorted-by.ts';
import { type Bucket, getObject } from './bucket.ts';

/** All objects that hold events of a workspace, oldest partition first; what has no key of the lake is none of them. */
export async function storedObjects(bucket: Bucket, workspaceId: string): Promise<readonly LakeObject[]> {
  const objects: LakeObject[] = [];
  const input = { Bucket: bucket.name, Prefix: workspacePrefix(workspaceId) };
  for await (const page of paginateListObjectsV2({ client: bucket.client }, input))
    for (const { Key = '' } of page.Contents ?? []) {
      const object = lakeObjectOf(Key);
      if (object !== null) objects.push(object);
    }
  return sortedBy(objects, lakeObjectKey);
}

export async function readStoredObject(bucket: Bucket, object: LakeObject): Promise<Uint8Array> {
  const bytes = await getObject(bucket, lakeObjectKey(object));
  if (bytes === null) throw new Fault('listed_object_missing', 'a listed object is gone');
  return bytes;
}
