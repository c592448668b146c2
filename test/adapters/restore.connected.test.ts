import { afterEach, beforeAll, expect, it } from 'vitest';
import { type AdminContext, openRegistry } from '../../cli/admin/open-registry.ts';
import { refuseUsed } from '../../cli/admin/restore.ts';
import { deleteObject, putObject } from '../../shared/adapters/s3/bucket.ts';
import { createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let context: AdminContext;
beforeAll(async () => {
  const { file, remove } = await credentialsFile();
  context = await openRegistry({ credentials: file }, 'op');
  await remove();
});

const bucketOf = (name: 'raw_bucket' | 'lake_bucket') =>
  context.connection[name === 'raw_bucket' ? 'rawBucket' : 'lakeBucket'];
let cleanUp = async () => {};
afterEach(async () => {
  await cleanUp();
  cleanUp = async () => {};
});

const put = async (bucket: 'raw_bucket' | 'lake_bucket', key: string) => {
  await putObject(bucketOf(bucket), key, Buffer.from('x'), { type: 'text/plain' });
  cleanUp = () => deleteObject(bucketOf(bucket), key);
};

it('restores into a new tenant, which may have the empty Iceberg tables of its deployment', async () => {
  await expect(refuseUsed(context)).resolves.toBeUndefined();
  await put('lake_bucket', 'iceberg/events/metadata/00000.metadata.json');
  await expect(refuseUsed(context)).resolves.toBeUndefined();
});

it.each([
  ['raw_bucket', 'raw/ws_1/del_1/digest', 'objects in its raw bucket'],
  ['lake_bucket', 'events/workspace=ws_1/x.ndjson.gz', 'objects in its lake'],
] as const)(
  'refuses what a restore left that broke off before any item: a key in the %s',
  async (bucket, key, words) => {
    await put(bucket, key);
    await expect(refuseUsed(context)).rejects.toThrow(
      `That tenant has ${words}. Restore into new stacks, or pass --resume`,
    );
  },
);

it('refuses a tenant that is in use', async () => {
  await createWorkspace(context.ports, { name: 'shop' });
  await expect(refuseUsed(context)).rejects.toThrow('That tenant has workspaces.');
});
