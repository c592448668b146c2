import {
  compactedObjectKey,
  compactedObjectOf,
  compactedPrefix,
  hourFolder,
  type LakeObject,
  lakeObjectKey,
  lakeObjectOf,
  lakePrefix,
  type StoredObject,
  stagingPrefix,
  storedObjectKey,
  storedObjectOf,
  workspaceFolder,
  workspacePrefix,
} from '../../contract/lake.ts';
import { sortedBy } from '../../domain/base/collections.ts';
import { collect } from '../../domain/base/concurrency.ts';
import { type CompactedLake, currentObjects } from '../../domain/events/compact/compact-lake.ts';
import type { ErasePorts } from '../../domain/events/erase/erase-user.ts';
import type { ExpireEventsPorts } from '../../domain/events/expire-events.ts';
import type { EventLake } from '../../domain/events/store/store-batches.ts';
import { type Bucket, deleteObject, foldersIn, getObject, keysIn, putObject } from './bucket.ts';

/** The lake of stored events: a run's object has the run's fresh id in its key, so that no two runs meet in one. */
export const eventLake = (bucket: Bucket): EventLake => ({
  stage: (object, bytes) => putObject(bucket, stagingKey(object), bytes, gzipLines),
  staged: (object) => getObject(bucket, stagingKey(object)),
  unstage: (object) => deleteObject(bucket, stagingKey(object)),
  publish: (object, bytes) => putObject(bucket, lakeObjectKey(object), bytes, gzipLines),
});

/** Without a Content-Encoding: readers tell gzip by the name, and some clients would inflate it on the way. */
const gzipLines = { type: 'application/gzip' };

const stagingKey = (object: LakeObject): string => `${stagingPrefix}${lakeObjectKey(object)}`;

const zstdLines = { type: 'application/zstd' };

export const compactedLake = (bucket: Bucket): CompactedLake => ({
  stagedObjects: () =>
    objectsIn(bucket, { Prefix: stagedPrefix }, (key) => lakeObjectOf(key.slice(stagingPrefix.length))),
  runObjects: () => objectsIn(bucket, { Prefix: lakePrefix }, lakeObjectOf),
  compactedIn: (partition) =>
    collect(objectsIn(bucket, { Prefix: `${compactedPrefix}${partition}/` }, compactedObjectOf)),
  readRun: (object) => getObject(bucket, lakeObjectKey(object)),
  removeRun: (object) => deleteObject(bucket, lakeObjectKey(object)),
  writeCompacted: (object, bytes) => putObject(bucket, compactedObjectKey(object), bytes, zstdLines),
});

/** What `read` makes of each key of a listing, without nulls. */
async function* objectsIn<T>(
  bucket: Bucket,
  listing: Parameters<typeof keysIn>[1],
  read: (key: string) => T | null,
): AsyncGenerator<T> {
  for await (const key of keysIn(bucket, listing)) {
    const object = read(key);
    if (object !== null) yield object;
  }
}

/** The objects that hold each event of a workspace once, oldest partition first; what has no key of the lake is none of them. */
export async function storedObjects(bucket: Bucket, workspaceId: string): Promise<readonly StoredObject[]> {
  const objects: StoredObject[] = [];
  // In this order: what is compacted meanwhile is found twice, and not missed.
  for (const prefix of [lakePrefix, compactedPrefix]) {
    const listing = { Prefix: `${prefix}${workspaceFolder(workspaceId)}` };
    objects.push(...(await collect(objectsIn(bucket, listing, storedObjectOf))));
  }
  return sortedBy(currentObjects(objects), ({ partition }) => partition, storedObjectKey);
}

export async function objectsSince(bucket: Bucket, workspaceId: string, since: Date): Promise<readonly LakeObject[]> {
  const objects: LakeObject[] = [];
  for (const project of await foldersIn(bucket, workspacePrefix(workspaceId)))
    for (const Prefix of await foldersIn(bucket, project)) {
      const StartAfter = `${Prefix}${hourFolder(since.toISOString())}`;
      objects.push(...(await collect(objectsIn(bucket, { Prefix, StartAfter }, lakeObjectOf))));
    }
  return sortedBy(objects, lakeObjectKey);
}

/** Null where the object is gone since it was listed: its rows are in another one, or nowhere any more. */
export const readStoredObject = (bucket: Bucket, object: StoredObject): Promise<Uint8Array | null> =>
  getObject(bucket, storedObjectKey(object));

const stagedPrefix = `${stagingPrefix}${lakePrefix}`;

/** Every object of the lake that holds rows of a workspace, to be replaced by one without some of them. */
export const erasableObjects = (
  bucket: Bucket,
  workspaceId: string,
): Pick<ErasePorts, 'objects' | 'read' | 'write'> => ({
  objects: async function* () {
    const read = (key: string) => {
      const object = storedObjectOf(key.startsWith(stagedPrefix) ? key.slice(stagingPrefix.length) : key);
      return object && { key, object };
    };
    for (const prefix of [stagedPrefix, lakePrefix, compactedPrefix])
      yield* objectsIn(bucket, { Prefix: `${prefix}${workspaceFolder(workspaceId)}` }, read);
  },
  read: (key) => getObject(bucket, key),
  write: ({ key, object }, bytes) =>
    putObject(bucket, key, bytes, { type: 'runId' in object ? 'application/gzip' : 'application/zstd' }),
});

/** Objects of the lake by age of their rows: hours are listed in their order, up to the first that is kept. */
export const expiringObjects = (bucket: Bucket): Pick<ExpireEventsPorts, 'objectsBefore' | 'remove'> => ({
  objectsBefore: async function* ({ workspace_id, id }, before) {
    const end = hourFolder(before.toISOString());
    for (const prefix of [lakePrefix, compactedPrefix]) {
      const project = `${prefix}${workspaceFolder(workspace_id)}project=${id}/`;
      for (const Prefix of await foldersIn(bucket, project)) yield* objectsUpTo(bucket, Prefix, end);
    }
  },
  remove: (object) => deleteObject(bucket, storedObjectKey(object)),
});

async function* objectsUpTo(bucket: Bucket, Prefix: string, end: string): AsyncGenerator<StoredObject> {
  for await (const key of keysIn(bucket, { Prefix })) {
    if (key.slice(Prefix.length) >= end) return;
    const object = storedObjectOf(key);
    if (object !== null) yield object;
  }
}
