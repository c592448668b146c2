import { type LakeObject, lakeObjectKey, stagingPrefix } from '../../contract/lake.ts';
import type { EventLake } from '../../domain/events/store/ports.ts';
import { type Bucket, deleteObject, getObject, putObject } from './bucket.ts';

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
