import { compactedPrefix, lakePrefix, stagingPrefix, storedObjectOf, workspaceFolder } from '../../contract/lake.ts';
import type { ErasePorts } from '../../domain/events/erase/erase-user.ts';
import { type Bucket, getObject, keysIn, putObject } from './bucket.ts';

const stagedPrefix = `${stagingPrefix}${lakePrefix}`;

/** Every object of the lake that holds rows of a workspace, to be replaced by one without some of them. */
export const erasableObjects = (
  bucket: Bucket,
  workspaceId: string,
): Pick<ErasePorts, 'objects' | 'read' | 'write'> => ({
  objects: async function* () {
    for (const prefix of [stagedPrefix, lakePrefix, compactedPrefix])
      for await (const key of keysIn(bucket, { Prefix: `${prefix}${workspaceFolder(workspaceId)}` })) {
        const object = storedObjectOf(key.startsWith(stagedPrefix) ? key.slice(stagingPrefix.length) : key);
        if (object !== null) yield { key, object };
      }
  },
  read: (key) => getObject(bucket, key),
  write: ({ key, object }, bytes) =>
    putObject(bucket, key, bytes, { type: 'runId' in object ? 'application/gzip' : 'application/zstd' }),
});
