import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { manifestsPrefix, webhooksPrefix } from '../../contract/lake.ts';
import { Fault } from '../../contract/problems.ts';
import type { CommitManifest } from '../../domain/codehost/pull-requests/ports.ts';
import type { WebhookPlace } from '../../domain/codehost/webhooks/receive-webhook.ts';
import { repositoryDigest } from '../dynamodb/registry/codehost-registry.ts';
import { type Bucket, getObject, putObject } from './bucket.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

export const keepWebhookBody =
  (bucket: Bucket) =>
  (place: WebhookPlace, bytes: Uint8Array): Promise<void> =>
    putObject(bucket, webhookObject(place), bytes, { type: 'application/json' });

export const webhookBody =
  (bucket: Bucket) =>
  (place: WebhookPlace): Promise<Uint8Array | null> =>
    getObject(bucket, webhookObject(place));

const webhookObject = ({ workspace_id, config_id, delivery_id }: WebhookPlace): string =>
  `${webhooksPrefix}${workspace_id}/${config_id}/${delivery_id}.json`;

export const keepManifestBytes =
  (bucket: Bucket) =>
  async (manifest: CommitManifest, bytes: Uint8Array): Promise<void> =>
    putObject(bucket, manifestObject(manifest), await zip(bytes), { type: 'application/json', encoding: 'gzip' });

export const manifestBytes =
  (bucket: Bucket) =>
  async (manifest: CommitManifest): Promise<Uint8Array> => {
    const stored = await getObject(bucket, manifestObject(manifest));
    if (stored === null) throw new Fault('manifest_missing', 'a stored manifest is not there');
    return unzip(stored);
  };

const manifestObject = ({ workspace_id, repository, commit_sha }: CommitManifest): string =>
  `${manifestsPrefix}${workspace_id}/${repositoryDigest(repository)}/${commit_sha}.json.gz`;
