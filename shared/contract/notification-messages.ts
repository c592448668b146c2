import * as v from 'valibot';
import { count } from './fields.ts';
import { WebhookId, WorkspaceId } from './ids.ts';
import { notificationTypes } from './vocabulary.ts';

const notified = { version: v.literal(1), workspace_id: WorkspaceId };

/** Something that happened, for the webhooks of its workspace. */
export const Notification = v.object({
  /** The same for the same happening, however often it is told. */
  id: v.string(),
  type: v.picklist(notificationTypes),
  occurred_at: v.string(),
  /** One sentence, without any value of the data. */
  summary: v.string(),
  /** Ids, codes and counts, and names of what the graph holds. */
  data: v.record(v.string(), v.unknown()),
});
export type Notification = v.InferOutput<typeof Notification>;

/** Tells the webhooks of a workspace of something that happened. */
export const TellWebhooks = v.object({ ...notified, kind: v.literal('tell_webhooks'), notification: Notification });
export type TellWebhooks = v.InferOutput<typeof TellWebhooks>;

/** Asks for an attempt to deliver a notification to a webhook. */
export const AttemptWebhook = v.object({
  ...notified,
  kind: v.literal('attempt_webhook'),
  webhook_id: WebhookId,
  notification_id: v.string(),
  /** The attempt that it asks for, from 1: a message that comes twice asks for one attempt. */
  attempt: count,
});
export type AttemptWebhook = v.InferOutput<typeof AttemptWebhook>;

/** What the notification queue carries. */
export const NotificationMessage = v.union([TellWebhooks, AttemptWebhook]);
export type NotificationMessage = v.InferOutput<typeof NotificationMessage>;
