import type { WebhookId, WorkspaceId } from '../../../contract/ids.ts';
import type { Key } from './key.ts';

/** Keys of what webhooks were told; the rules are those of `key.ts`. */

const partitionOf = (workspace: WorkspaceId, webhook: WebhookId): string => `W#${workspace}#H#${webhook}`;

export const sentKey = (workspace: WorkspaceId, webhook: WebhookId, notification: string): Key => ({
  pk: partitionOf(workspace, webhook),
  sk: `SENT#${notification}`,
});

/** What a webhook was told, by time. */
export const sentList = (workspace: WorkspaceId, webhook: WebhookId): string => partitionOf(workspace, webhook);

export const sentListKey = (workspace: WorkspaceId, webhook: WebhookId, place: string) => ({
  gsi1pk: sentList(workspace, webhook),
  gsi1sk: place,
});

/** What happened and webhooks are not told of yet. */
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
