import * as v from 'valibot';
import { timestamp } from '../../contract/fields.ts';
import { UserId, WebhookId, WorkspaceId } from '../../contract/ids.ts';
import { Notification } from '../../contract/messages.ts';
import { notificationTypes, webhookFormats, webhookStates } from '../../contract/vocabulary.ts';
import { WebhookAttempt, type WebhookDelivery, type WebhookResponse } from '../../contract/webhooks.ts';

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
