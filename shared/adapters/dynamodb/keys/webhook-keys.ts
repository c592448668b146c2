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
