import {
  type CompactedObject,
  compactedObjectKey,
  compactedObjectOf,
  compactedPrefix,
  type LakeObject,
  lakeObjectKey,
  lakeObjectOf,
  lakePrefix,
  stagingPrefix,
} from '../../contract/lake.ts';
import type { CompactedLake } from '../../domain/events/compact/ports.ts';
import type { EventLake } from '../../domain/events/store/ports.ts';
import { type Bucket, deleteObject, getObject, keysIn, putObject } from './bucket.ts';

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
  stagedObjects: () => objectsIn(bucket, stagingPrefix),
  runObjects: () => objectsIn(bucket, ''),
  compactedIn: async (partition) => {
    const objects: CompactedObject[] = [];
    for await (const key of keysIn(bucket, { Prefix: `${compactedPrefix}${partition}/` })) {
      const object = compactedObjectOf(key);
      if (object !== null) objects.push(object);
    }
    return objects;
  },
  readRun: (object) => getObject(bucket, lakeObjectKey(object)),
  removeRun: (object) => deleteObject(bucket, lakeObjectKey(object)),
  writeCompacted: (object, bytes) => putObject(bucket, compactedObjectKey(object), bytes, zstdLines),
});

async function* objectsIn(bucket: Bucket, before: string): AsyncGenerator<LakeObject> {
  for await (const key of keysIn(bucket, { Prefix: `${before}${lakePrefix}` })) {
    const object = lakeObjectOf(key.slice(before.length));
    if (object !== null) yield object;
  }
}
