import * as v from 'valibot';
import { timestamp } from '../../contract/fields.ts';
import { UserId, WebhookId, WorkspaceId } from '../../contract/ids.ts';
import { Notification, type NotificationMessage } from '../../contract/messages.ts';
import { notificationTypes, type WebhookState, webhookFormats, webhookStates } from '../../contract/vocabulary.ts';
import { WebhookAttempt, type WebhookDelivery, type WebhookResponse } from '../../contract/webhooks.ts';
import type { Listed, ListedRecords, Registry, Write } from '../workspaces/access/records.ts';

/** Where a workspace sends notifications of some types. */
export const Webhook = v.object({
  workspace_id: WorkspaceId,
  id: WebhookId,
  url: v.string(),
  events: v.array(v.picklist(notificationTypes)),
  format: v.picklist(webhookFormats),
  /** Raised when the secret is replaced, which is derived from it. */
  secret_version: v.number(),
  created_at: timestamp,
  created_by: UserId,
  updated_at: timestamp,
  updated_by: UserId,
});
export type Webhook = v.InferOutput<typeof Webhook>;

/** A notification on its way to one webhook. */
export const SentNotification = v.object({
  workspace_id: WorkspaceId,
  webhook_id: WebhookId,
  /** In order of time. */
  place: v.string(),
  notification: Notification,
  state: v.picklist(webhookStates),
  /** Those of the present round; a retry of a failed one begins another. */
  attempts: v.array(WebhookAttempt),
  next_attempt_at: v.nullable(timestamp),
});
export type SentNotification = v.InferOutput<typeof SentNotification>;

/** Who knows the address of a chat's webhook can write to the chat, so only the response that set it shows it. */
export function webhookView({ secret_version: _, ...webhook }: Webhook): WebhookResponse {
  return { ...webhook, url: shownUrl(webhook) };
}

export function shownUrl({ url, format }: Pick<Webhook, 'url' | 'format'>): string {
  const { origin, hostname } = new URL(url);
  return format === 'slack' || hostname === 'hooks.slack.com' ? `${origin}/…` : url;
}

export const sentView = ({ notification, state, attempts, next_attempt_at }: SentNotification): WebhookDelivery => ({
  id: notification.id,
  type: notification.type,
  state,
  occurred_at: notification.occurred_at,
  attempts: [...attempts],
  next_attempt_at,
});

type WebhookPlace = { readonly workspace_id: WorkspaceId; readonly id: WebhookId };

export type WebhookReader = { readonly webhooks: ListedRecords<Webhook, WebhookPlace> };

/** The webhooks of a workspace; everything in one `commit` takes effect, or nothing does. */
export type WebhookRegistry = Pick<Registry, 'audit' | 'commit'> & {
  readonly webhooks: Listed<Webhook, WebhookPlace>;
  /** Counts a webhook that is created (1) or removed (-1) in the same commit, which fails at the limit. */
  readonly counted: (workspace: WorkspaceId, change: 1 | -1) => Write;
};

export type SentStore = {
  /** Keeps a notification for a webhook, once: answers the one that was there. */
  readonly open: (sent: SentNotification) => Promise<SentNotification>;
  /** Read consistently. */
  readonly get: (workspace: WorkspaceId, webhook: WebhookId, notification: string) => Promise<SentNotification | null>;
  /** Replaces what was read; false if it was changed since. */
  readonly change: (before: SentNotification, after: SentNotification) => Promise<boolean>;
  /** Newest first, before a place. */
  readonly list: (
    workspace: WorkspaceId,
    webhook: WebhookId,
    page: { readonly state: WebhookState | null; readonly limit: number; readonly before: string | null },
  ) => Promise<readonly SentNotification[]>;
};

/** Something that happened and that webhooks are still to be notified of. */
type Announcement = { readonly workspace_id: WorkspaceId; readonly notification: Notification };

/** What writes left to be announced: what happened and was not announced yet. */
export type Announcements = {
  /** At most this many of each of a few lists. */
  readonly due: (now: string, limit: number) => Promise<readonly Announcement[]>;
  readonly remove: (workspace: WorkspaceId, notification: string) => Promise<void>;
};

/** At least once, in any order. */
export type NotificationQueue = {
  readonly send: (message: NotificationMessage, options?: { readonly delaySeconds: number }) => Promise<void>;
};

/** What came of a request: the status of the answer, or a code for why there was none. */
export type Posted = { readonly status: number } | { readonly error: string };

/** Sends a body to a URL of the public Internet; never throws, follows no redirect and reads no answer. */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Posted>;

export type WebhookKey = () => Promise<Uint8Array>;
