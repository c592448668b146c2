import { BucketAlreadyExists, BucketAlreadyOwnedByYou, CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { type Wiring, wired } from '../template/wiring.ts';

/** Creates the template's buckets where they do not exist yet. */
export async function createBuckets(client: S3Client, wiring: Wiring): Promise<void> {
  for (const { ref } of wired(wiring, 'AWS::S3::Bucket', v.object({})))
    try {
      await client.send(new CreateBucketCommand({ Bucket: ref }));
    } catch (error) {
      if (!(error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists)) throw error;
    }
}
