import {
  compactedPrefix,
  hourFolder,
  lakePrefix,
  type StoredObject,
  storedObjectKey,
  storedObjectOf,
  workspaceFolder,
} from '../../contract/lake.ts';
import type { ExpireEventsPorts } from '../../domain/events/retention/expire-events.ts';
import { type Bucket, deleteObject, foldersIn, keysIn } from './bucket.ts';

/** Objects of the lake by the age of what they hold: hours are listed in their order, up to the first that is kept. */
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
