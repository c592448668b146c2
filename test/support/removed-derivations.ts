import { s3 } from '../../shared/adapters/aws.ts';
import { deleteObject, keysIn } from '../../shared/adapters/s3/bucket.ts';
import { listingsPrefix } from '../../shared/contract/lake.ts';

/** Removes what was derived from the documents of a workspace, so that only their bytes remain. Returns the number of documents. */
export async function removeDerivations(workspace: string): Promise<number> {
  const bucket = { client: s3(), name: process.env['RAW_BUCKET'] ?? '' };
  let removed = 0;
  for await (const key of keysIn(bucket, { Prefix: `${listingsPrefix}${workspace}/` })) {
    if (!key.endsWith('.derivations')) continue;
    await deleteObject(bucket, key);
    removed++;
  }
  return removed;
}
