import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  NoSuchBucket,
  type ObjectVersion,
} from '@aws-sdk/client-s3';
import { Fault } from '../../contract/problems.ts';
import { inParallel } from '../../domain/base/concurrency.ts';
import type { Bucket } from './bucket.ts';

const copiesInFlight = 32;

/** Copies a bucket as of a time (null: now) within S3: of each key the newest version until then. Returns the count. */
export async function copyVersions(from: Bucket, to: Bucket, at: Date | null): Promise<number> {
  let copied = 0;
  for await (const versions of versionsAt(from, at)) {
    await inParallel(copiesInFlight, versions, (version) => copy(from, to, version));
    copied += versions.length;
  }
  return copied;
}

/** A page of the listing at a time; the versions of a key follow one another, newest first, over pages too. */
async function* versionsAt(bucket: Bucket, at: Date | null): AsyncGenerator<ObjectVersion[]> {
  let settled: string | undefined;
  for await (const page of pagesOf(bucket)) {
    const found: ObjectVersion[] = [];
    for (const one of inOrder(page.Versions ?? [], page.DeleteMarkers ?? [])) {
      if (one.Key === settled || (at !== null && (one.LastModified?.getTime() ?? 0) > at.getTime())) continue;
      settled = one.Key;
      if (!one.isDeleted) found.push(one);
    }
    yield found;
  }
}

async function* pagesOf({ client, name }: Bucket): AsyncGenerator<ListObjectVersionsCommandOutput> {
  let place: { readonly KeyMarker?: string; readonly VersionIdMarker?: string } | null = {};
  while (place !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: name, ...place }),
    );
    yield page;
    const { NextKeyMarker: KeyMarker = '', NextVersionIdMarker: VersionIdMarker } = page;
    place = page.IsTruncated ? { KeyMarker, ...(VersionIdMarker !== undefined && { VersionIdMarker }) } : null;
  }
}

type Version = ObjectVersion & { readonly isDeleted: boolean };

/** A page lists versions and deletions apart. */
const inOrder = (versions: readonly ObjectVersion[], deletions: readonly Omit<ObjectVersion, 'ChecksumAlgorithm'>[]) =>
  [
    ...versions.map((one): Version => ({ ...one, isDeleted: false })),
    ...deletions.map((one): Version => ({ ...one, isDeleted: true })),
  ].sort(
    (a, b) =>
      compareKeys(a.Key ?? '', b.Key ?? '') || Number(b.LastModified) - Number(a.LastModified) || newest(b) - newest(a),
  );

const newest = ({ IsLatest }: Version): number => Number(IsLatest ?? false);

/** S3 orders keys by their bytes. */
const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

async function copy(from: Bucket, to: Bucket, { Key, VersionId }: ObjectVersion): Promise<void> {
  const version = VersionId === undefined || VersionId === 'null' ? '' : `?versionId=${VersionId}`;
  const source = `${from.name}/${(Key ?? '').split('/').map(encodeURIComponent).join('/')}${version}`;
  await to.client.send(new CopyObjectCommand({ Bucket: to.name, Key, CopySource: source }));
}

export async function emptyBucket(bucket: Bucket): Promise<void> {
  try {
    for await (const { Versions = [], DeleteMarkers = [] } of pagesOf(bucket)) {
      const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
      if (Objects.length === 0) continue;
      const Delete = { Objects, Quiet: true };
      const { Errors = [] } = await bucket.client.send(new DeleteObjectsCommand({ Bucket: bucket.name, Delete }));
      if (Errors[0]) throw new Fault('bucket_not_emptied', `S3 did not delete an object: ${Errors[0].Code}`);
    }
  } catch (error) {
    if (!(error instanceof NoSuchBucket)) throw error;
  }
}
