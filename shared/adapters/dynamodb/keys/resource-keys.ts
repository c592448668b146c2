import type { AppConfigId, CheckId, ConnectorId, UserId, WebhookId, WorkspaceId } from '../../../contract/ids.ts';
import { dueIndexKey, itemKey, listIndexKey } from './registry-keys.ts';

const checkPartition = (workspace: WorkspaceId, check: CheckId): string => `W#${workspace}#K#${check}`;

export const checkStatusKey = (workspace: WorkspaceId, check: CheckId) =>
  itemKey(checkPartition(workspace, check), 'STATUS');

export const checkResultKey = (workspace: WorkspaceId, check: CheckId, result: string) =>
  itemKey(checkPartition(workspace, check), `RESULT#${result}`);

export const artifactKey = (workspace: WorkspaceId, artifact: string) =>
  itemKey(`W#${workspace}#A#${artifact}`, 'ARTIFACT');

/** The accepted version of a path; the key has the digest of the path. */
export const artifactPathKey = (workspace: WorkspaceId, pathDigest: string) =>
  itemKey(`W#${workspace}#AP#${pathDigest}`, 'HEAD');

export const artifactIndex = (workspace: WorkspaceId): string => `W#${workspace}#ARTIFACTS`;

export const artifactListKey = (workspace: WorkspaceId, place: string) => listIndexKey(artifactIndex(workspace), place);

/** What is known of a connector's tables together. */
export const connectorSummaryKey = (workspace: WorkspaceId, connector: ConnectorId) =>
  itemKey(`W#${workspace}#CS#${connector}`, 'SUMMARY');

const policyPartition = (workspace: WorkspaceId, connector: ConnectorId): string => `W#${workspace}#Y#${connector}`;

/** The whole policy that holds now, so that a read is evaluated after one batch get. */
export const policyHeadKey = (workspace: WorkspaceId, connector: ConnectorId) =>
  itemKey(policyPartition(workspace, connector), 'HEAD');

/** Revisions lie in their order; `BETWEEN` the keys of 0 and of one is all up to it. */
export const policyRevisionKey = (workspace: WorkspaceId, connector: ConnectorId, revision: number) =>
  itemKey(policyPartition(workspace, connector), `V#${String(revision).padStart(10, '0')}`);

export const recountKey = (workspace: WorkspaceId, connector: ConnectorId) =>
  itemKey(policyPartition(workspace, connector), 'RECOUNT');

/** The partition of the due index that lists recounts that are not done. */
export const recountIndex = 'RECOUNT';

export const recountDueKey = (workspace: WorkspaceId, connector: ConnectorId, dueAt: string) =>
  dueIndexKey(recountIndex, `${dueAt}#${workspace}#${connector}`);

export const installationStartKey = (workspace: WorkspaceId, user: UserId) =>
  itemKey(`W#${workspace}#IS#${user}`, 'START');

/** Not by workspace: a webhook does not name one. */
export const codehostAppPlaceKey = (app: AppConfigId) => itemKey(`CODEHOST#${app}`, 'APP');

/** Not by workspace, so that no two share an installation. */
export const installationPlaceKey = (app: AppConfigId, installation: string) =>
  itemKey(`CODEHOST#${app}`, `PLACE#${installation}`);

export const codehostWebhookKey = (workspace: WorkspaceId, app: AppConfigId, delivery: string) =>
  itemKey(`W#${workspace}#HD#${app}`, delivery);

export const commitManifestKey = (workspace: WorkspaceId, repositoryDigest: string, commit: string) =>
  itemKey(`W#${workspace}#HM#${repositoryDigest}`, commit);

/** Held while a worker writes the check run of a commit. */
export const commitLeaseKey = (workspace: WorkspaceId, repositoryDigest: string, commit: string) =>
  itemKey(`W#${workspace}#HL#${repositoryDigest}`, commit);

export const checkSettingsKey = (workspace: WorkspaceId) => itemKey(`W#${workspace}`, 'CODEHOST_CHECKS');

const partitionOf = (workspace: WorkspaceId, webhook: WebhookId): string => `W#${workspace}#H#${webhook}`;

export const sentKey = (workspace: WorkspaceId, webhook: WebhookId, notification: string) =>
  itemKey(partitionOf(workspace, webhook), `SENT#${notification}`);

export const sentList = (workspace: WorkspaceId, webhook: WebhookId): string => partitionOf(workspace, webhook);

export const sentListKey = (workspace: WorkspaceId, webhook: WebhookId, place: string) =>
  listIndexKey(sentList(workspace, webhook), place);

export const announcementKey = (workspace: WorkspaceId, notification: string) =>
  itemKey(`W#${workspace}#T#${notification}`, 'ANNOUNCEMENT');

const announcementShards = 4;

/** The partitions of the due index that list it, spread: all deliveries of a broken feed fail at once. */
export const announcementIndexes: readonly string[] = Array.from({ length: announcementShards }, (_, shard) =>
  announcementIndex(shard),
);

export const announcementDueKey = (notification: string, dueAt: string) =>
  dueIndexKey(announcementIndex(notification.charCodeAt(0) % announcementShards), `${dueAt}#${notification}`);

function announcementIndex(shard: number): string {
  return `ANNOUNCE#${shard}`;
}
