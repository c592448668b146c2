import type { AppConfigId, CheckId, ConnectorId, UserId, WebhookId, WorkspaceId } from '../../../contract/ids.ts';
import { type Key, registeredKey } from './registry-keys.ts';

const checkPartition = (workspace: WorkspaceId, check: CheckId): string => `W#${workspace}#K#${check}`;

export const checkStatusKey = (workspace: WorkspaceId, check: CheckId): Key => ({
  pk: checkPartition(workspace, check),
  sk: 'STATUS',
});

export const checkResultKey = (workspace: WorkspaceId, check: CheckId, result: string): Key => ({
  pk: checkPartition(workspace, check),
  sk: `RESULT#${result}`,
});

export const artifactKey = (workspace: WorkspaceId, artifact: string): Key => ({
  pk: `W#${workspace}#A#${artifact}`,
  sk: 'ARTIFACT',
});

/** The accepted version of a path; the key has the digest of the path. */
export const artifactPathKey = (workspace: WorkspaceId, pathDigest: string): Key => ({
  pk: `W#${workspace}#AP#${pathDigest}`,
  sk: 'HEAD',
});

export const artifactIndex = (workspace: WorkspaceId): string => `W#${workspace}#ARTIFACTS`;

export const artifactListKey = (workspace: WorkspaceId, place: string) => ({
  gsi1pk: artifactIndex(workspace),
  gsi1sk: place,
});

/** What is known of a connector's tables together. */
export const connectorSummaryKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: `W#${workspace}#CS#${connector}`,
  sk: 'SUMMARY',
});

const policyPartition = (workspace: WorkspaceId, connector: ConnectorId): string => `W#${workspace}#Y#${connector}`;

/** The whole policy that holds now, so that a read is evaluated after one batch get. */
export const policyHeadKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: policyPartition(workspace, connector),
  sk: 'HEAD',
});

/** Revisions lie in their order; `BETWEEN` the keys of 0 and of one is all up to it. */
export const policyRevisionKey = (workspace: WorkspaceId, connector: ConnectorId, revision: number): Key => ({
  pk: policyPartition(workspace, connector),
  sk: `V#${String(revision).padStart(10, '0')}`,
});

export const recountKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: policyPartition(workspace, connector),
  sk: 'RECOUNT',
});

/** The partition of the due index that lists recounts that are not done. */
export const recountIndex = 'RECOUNT';

export const recountDueKey = (workspace: WorkspaceId, connector: ConnectorId, dueAt: string) => ({
  gsi2pk: recountIndex,
  gsi2sk: `${dueAt}#${workspace}#${connector}`,
});

export const codehostAppKey = (workspace: WorkspaceId, app: AppConfigId): Key =>
  registeredKey(workspace, 'codehost_app', app);

export const codehostInstallationKey = (workspace: WorkspaceId, app: AppConfigId, installation: string): Key =>
  registeredKey(workspace, 'codehost_installation', `${app}#${installation}`);

export const installationStartKey = (workspace: WorkspaceId, user: UserId): Key => ({
  pk: `W#${workspace}#IS#${user}`,
  sk: 'START',
});

/** Not by workspace: a webhook does not name one. */
export const codehostAppPlaceKey = (app: AppConfigId): Key => ({ pk: `CODEHOST#${app}`, sk: 'APP' });

/** Not by workspace, so that no two share an installation. */
export const installationPlaceKey = (app: AppConfigId, installation: string): Key => ({
  pk: `CODEHOST#${app}`,
  sk: `PLACE#${installation}`,
});

export const codehostWebhookKey = (workspace: WorkspaceId, app: AppConfigId, delivery: string): Key => ({
  pk: `W#${workspace}#HD#${app}`,
  sk: delivery,
});

export const commitManifestKey = (workspace: WorkspaceId, repositoryDigest: string, commit: string): Key => ({
  pk: `W#${workspace}#HM#${repositoryDigest}`,
  sk: commit,
});

/** Held while a worker writes the check run of a commit. */
export const commitLeaseKey = (workspace: WorkspaceId, repositoryDigest: string, commit: string): Key => ({
  pk: `W#${workspace}#HL#${repositoryDigest}`,
  sk: commit,
});

export const checkSettingsKey = (workspace: WorkspaceId): Key => ({ pk: `W#${workspace}`, sk: 'CODEHOST_CHECKS' });

const partitionOf = (workspace: WorkspaceId, webhook: WebhookId): string => `W#${workspace}#H#${webhook}`;

export const sentKey = (workspace: WorkspaceId, webhook: WebhookId, notification: string): Key => ({
  pk: partitionOf(workspace, webhook),
  sk: `SENT#${notification}`,
});

export const sentList = (workspace: WorkspaceId, webhook: WebhookId): string => partitionOf(workspace, webhook);

export const sentListKey = (workspace: WorkspaceId, webhook: WebhookId, place: string) => ({
  gsi1pk: sentList(workspace, webhook),
  gsi1sk: place,
});

export const announcementKey = (workspace: WorkspaceId, notification: string): Key => ({
  pk: `W#${workspace}#T#${notification}`,
  sk: 'ANNOUNCEMENT',
});

const announcementShards = 4;

/** The partitions of the due index that list it, spread: all deliveries of a broken feed fail at once. */
export const announcementIndexes: readonly string[] = Array.from({ length: announcementShards }, (_, shard) =>
  announcementIndex(shard),
);

export const announcementDueKey = (notification: string, dueAt: string) => ({
  gsi2pk: announcementIndex(notification.charCodeAt(0) % announcementShards),
  gsi2sk: `${dueAt}#${notification}`,
});

function announcementIndex(shard: number): string {
  return `ANNOUNCE#${shard}`;
}
