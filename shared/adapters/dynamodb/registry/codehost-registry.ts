import { randomUUID } from 'node:crypto';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { CheckSettings } from '../../../contract/codehost-checks.ts';
import { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { sha256 } from '../../../domain/base/digest.ts';
import { systemClock } from '../../../domain/base/time/timestamp.ts';
import type { CodehostRegistry } from '../../../domain/codehost/ports.ts';
import { type CheckSettingsStore, CommitManifest } from '../../../domain/codehost/pull-requests/ports.ts';
import {
  AppPlace,
  AppRecord,
  InstallationPlace,
  InstallationRecord,
  InstallationStart,
} from '../../../domain/codehost/records.ts';
import { Webhook, type WebhookPlace } from '../../../domain/codehost/webhooks/receive-webhook.ts';
import { auditEntry } from '../../../domain/workspaces/access/records.ts';
import {
  checkSettingsKey,
  codehostAppPlaceKey,
  codehostWebhookKey,
  commitLeaseKey,
  commitManifestKey,
  installationPlaceKey,
  installationStartKey,
} from '../keys/resource-keys.ts';
import { getRecord, ifAbsent, putItem, takeItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { retryRefused } from '../requests/transact.ts';
import { leaseOf } from './rate-buckets.ts';
import { auditLog, commit } from './registry.ts';
import { collection, listedBy, listedCollection, records } from './registry-collection.ts';

export const codehostRegistry = (table: Table): CodehostRegistry => ({
  ...installationRegistry(table),
  starts: starts(table),
});

export const installationRegistry = (table: Table): Omit<CodehostRegistry, 'starts'> => ({
  audit: auditLog(table),
  commit: (writes) => commit(table, writes),
  apps: listedCollection(table, listedBy('codehost_app', AppRecord, 'id')),
  appPlaces: collection(table, { schema: AppPlace, key: ({ id }) => codehostAppPlaceKey(id) }),
  installations: listedCollection(
    table,
    listedBy('codehost_installation', InstallationRecord, 'config_id', 'installation_id'),
  ),
  installationPlaces: collection(table, {
    schema: InstallationPlace,
    key: ({ config_id, installation_id }) => installationPlaceKey(config_id, installation_id),
  }),
});

const starts = (table: Table): CodehostRegistry['starts'] => ({
  begin: async (start) => {
    const ttl = Math.ceil(Date.parse(start.expires_at) / 1_000);
    await putItem(table, marshall({ ...installationStartKey(start.workspace_id, start.user_id), ...start, ttl }));
  },
  take: async (workspace, user) => {
    const taken = await takeItem(table, installationStartKey(workspace, user));
    return taken && v.parse(InstallationStart, unmarshall(taken));
  },
});

const retentionSeconds = limits.codehost.keptDays * 86_400;
const ttlOf = (at: string): number => Math.ceil(Date.parse(at) / 1_000) + retentionSeconds;

export const webhookMarks = (table: Table) => ({
  find: ({ workspace_id, config_id, delivery_id }: WebhookPlace): Promise<Webhook | null> =>
    getRecord(table, Webhook, codehostWebhookKey(workspace_id, config_id, delivery_id)),
  add: async (webhook: Webhook): Promise<boolean> => {
    const { workspace_id, config_id, delivery_id, received_at } = webhook;
    const Item = marshall({
      ...codehostWebhookKey(workspace_id, config_id, delivery_id),
      ...webhook,
      ttl: ttlOf(received_at),
    });
    return (await retryRefused(() => putItem(table, Item, ifAbsent))) === null;
  },
});

/** The key has the digest of a repository's name, because names may be long and ignore case. */
export const repositoryDigest = (repository: string): string => sha256(repository.toLowerCase()).toString('base64url');

export const manifestRecords = (table: Table) => ({
  add: async (manifest: CommitManifest): Promise<void> => {
    const { workspace_id, repository, commit_sha, received_at } = manifest;
    const key = commitManifestKey(workspace_id, repositoryDigest(repository), commit_sha);
    await putItem(table, marshall({ ...key, ...manifest, ttl: ttlOf(received_at) }));
  },
  find: (workspace: WorkspaceId, repository: string, commit_sha: string): Promise<CommitManifest | null> =>
    getRecord(table, CommitManifest, commitManifestKey(workspace, repositoryDigest(repository), commit_sha)),
});

const OwnSettings = v.object({ ...CheckSettings.entries, workspace_id: WorkspaceId });

type OwnSettings = v.InferOutput<typeof OwnSettings>;
const settingsShape = {
  schema: OwnSettings,
  key: ({ workspace_id }: Pick<OwnSettings, 'workspace_id'>) => checkSettingsKey(workspace_id),
};

export const checkSettingsReader = (table: Table): Pick<CheckSettingsStore, 'find'> => ({
  find: (workspace_id) =>
    records<Pick<OwnSettings, 'workspace_id'>, OwnSettings>(table, settingsShape).find({ workspace_id }),
});

export function checkSettingsStore(table: Table, randomBytes: (count: number) => Uint8Array): CheckSettingsStore {
  const retained = collection<Pick<OwnSettings, 'workspace_id'>, OwnSettings>(table, settingsShape);
  return {
    ...checkSettingsReader(table),
    write: (before, settings, userId) => {
      const own = v.parse(OwnSettings, settings);
      const { workspace_id, on_breaking, repositories } = own;
      const subject = { on_breaking, repositories: repositories.map(({ repository }) => repository) };
      const action = { workspace_id, action: 'codehost_checks.put', subject };
      const audit = auditLog(table).create(auditEntry({ randomBytes, clock: systemClock }, userId, action));
      const put = before ? retained.replace({ ...before, record: own }, own) : retained.create(own);
      return commit(table, [put, audit]);
    },
  };
}

/** A worker that died holds a commit no longer than it may run. */
const leaseSeconds = 300;

export const commitLease = (table: Table) => (workspace: WorkspaceId, repository: string, commit: string) =>
  leaseOf(table, commitLeaseKey(workspace, repositoryDigest(repository), commit), {
    holder: randomUUID(),
    seconds: leaseSeconds,
  });
