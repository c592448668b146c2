import type { WorkspaceId } from '../../contract/ids.ts';
import { namesPrefix } from '../../contract/lake.ts';
import { lruCache } from '../../domain/base/caching.ts';
import {
  emptyNameList,
  type NameList,
  type NameLists,
  nameList,
  type StoredNames,
} from '../../domain/lineage/graph/name-list.ts';
import { type Bucket, getJson, putJson } from './bucket.ts';

/** Some 150 MB of names. */
const namesRemembered = 500_000;
/** A list is made at most once an hour. */
const rememberedMs = 15 * 60_000;

export function nameListReader(bucket: Bucket): NameLists['read'] {
  const lists = lruCache<WorkspaceId, NameList>(
    namesRemembered,
    ({ names, columns }) => names.length + columns.length + 1,
  );
  return async (workspace) => {
    const known = lists.get(workspace);
    if (known) return known;
    // Only the writer below writes these objects.
    const stored = (await getJson(bucket, keyOf(workspace))) as StoredNames | null;
    const list = stored ? nameList(stored) : emptyNameList;
    lists.set(workspace, list, { ttl: rememberedMs });
    return list;
  };
}

export const nameListWriter =
  (bucket: Bucket): NameLists['put'] =>
  (workspace, names) =>
    putJson(bucket, keyOf(workspace), names);

const keyOf = (workspace: WorkspaceId): string => `${namesPrefix}${workspace}.json.gz`;
