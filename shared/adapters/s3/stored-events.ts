import {
  compactedPrefix,
  hourFolder,
  type LakeObject,
  lakeObjectKey,
  lakeObjectOf,
  lakePrefix,
  type StoredObject,
  storedObjectKey,
  storedObjectOf,
  workspaceFolder,
  workspacePrefix,
} from '../../contract/lake.ts';
import { currentObjects } from '../../domain/events/compact/current-objects.ts';
import { sortedBy } from '../../domain/sorted-by.ts';
import { type Bucket, foldersIn, getObject, keysIn } from './bucket.ts';

/** The objects that hold each event of a workspace once, oldest partition first; what has no key of the lake is none of them. */
export async function storedObjects(bucket: Bucket, workspaceId: string): Promise<readonly StoredObject[]> {
  const objects: StoredObject[] = [];
  // In this order: what is compacted meanwhile is found twice, and not missed.
  for (const prefix of [lakePrefix, compactedPrefix])
    objects.push(...(await objectsUnder(bucket, `${prefix}${workspaceFolder(workspaceId)}`)));
  return sortedBy(currentObjects(objects), ({ partition }) => partition, storedObjectKey);
}

async function objectsUnder(bucket: Bucket, Prefix: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const key of keysIn(bucket, { Prefix })) {
    const object = storedObjectOf(key);
    if (object !== null) objects.push(object);
  }
  return objects;
}

/** Those of runs whose events were received in the hour of a time or later. Older partitions are not listed. */
export async function objectsSince(bucket: Bucket, workspaceId: string, since: Date): Promise<readonly LakeObject[]> {
  const objects: LakeObject[] = [];
  for (const project of await foldersIn(bucket, workspacePrefix(workspaceId)))
    for (const Prefix of await foldersIn(bucket, project)) {
      const StartAfter = `${Prefix}${hourFolder(since.toISOString())}`;
      for await (const key of keysIn(bucket, { Prefix, StartAfter })) {
        const object = lakeObjectOf(key);
        if (object !== null) objects.push(object);
      }
    }
  return sortedBy(objects, lakeObjectKey);
}

/** Null where the object is gone since it was listed: its rows are in another one, or nowhere any more. */
export const readStoredObject = (bucket: Bucket, object: StoredObject): Promise<Uint8Array | null> =>
  getObject(bucket, storedObjectKey(object));
