import type { WorkspaceId } from '../../contract/ids.ts';
import { comparisonsPrefix } from '../../contract/lake.ts';
import type { ComparisonStore, StoredComparison } from '../../domain/lineage/queries/diff/kept-comparison.ts';
import { type Bucket, getJson, putJson } from './bucket.ts';

/** Comparisons below a prefix of the raw bucket whose objects expire. */
export const comparisonStore = (bucket: Bucket): ComparisonStore => ({
  put: (workspace, id, comparison) => putJson(bucket, keyOf(workspace, id), comparison),
  // Only this store writes these objects.
  get: async (workspace, id) => (await getJson(bucket, keyOf(workspace, id))) as StoredComparison | null,
});

const keyOf = (workspace: WorkspaceId, id: string): string => `${comparisonsPrefix}${workspace}/${id}.json.gz`;
