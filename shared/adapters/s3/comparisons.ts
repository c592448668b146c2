import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { WorkspaceId } from '../../contract/ids.ts';
import { comparisonsPrefix } from '../../contract/lake.ts';
import type { ComparisonStore, StoredComparison } from '../../domain/lineage/queries/diff/kept-comparison.ts';
import { type Bucket, getObject, putObject } from './bucket.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/** Comparisons below a prefix of the raw bucket whose objects expire. */
export const comparisonStore = (bucket: Bucket): ComparisonStore => ({
  put: async (workspace, id, comparison) => {
    const bytes = await zip(JSON.stringify(comparison));
    await putObject(bucket, keyOf(workspace, id), bytes, { type: 'application/json', encoding: 'gzip' });
  },
  get: async (workspace, id) => {
    const bytes = await getObject(bucket, keyOf(workspace, id));
    // Only this store writes these objects.
    return bytes && (JSON.parse((await unzip(bytes)).toString()) as StoredComparison);
  },
});

const keyOf = (workspace: WorkspaceId, id: string): string => `${comparisonsPrefix}${workspace}/${id}.json.gz`;
