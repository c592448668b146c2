import type { AttemptWebhook, TellWebhooks } from '../../contract/messages.ts';
import type { Clock } from '../base/time/timestamp.ts';
import type { NotificationQueue, SentNotification, SentStore, WebhookReader } from './webhook.ts';

/** Opens a notification for each webhook that asked for its type, once, and asks for the first attempts: C-HOOK-2. */
export async function tellWebhooks(
  ports: {
    readonly registry: WebhookReader;
    readonly sent: Pick<SentStore, 'open'>;
    readonly queue: NotificationQueue;
    readonly clock: Clock;
  },
  { workspace_id, notification }: TellWebhooks,
): Promise<void> {
  for (const webhook of await ports.registry.webhooks.list(workspace_id)) {
    if (!webhook.events.includes(notification.type)) continue;
    const now = ports.clock.now().toISOString();
    const sent = await ports.sent.open({
      workspace_id,
      webhook_id: webhook.id,
      place: `${now}#${notification.id}`,
      notification,
      state: 'pending',
      attempts: [],
      next_attempt_at: now,
    });
    // The message was duplicated, or this loop was interrupted: request the due attempt again.
    if (sent.state === 'pending') await ports.queue.send(nextAttempt(sent));
  }
}

/** Asks for the attempt that a pending notification waits for. */
export const nextAttempt = ({
  workspace_id,
  webhook_id,
  notification,
  attempts,
}: SentNotification): AttemptWebhook => ({
  version: 1,
  kind: 'attempt_webhook',
  workspace_id,
  webhook_id,
  notification_id: notification.id,
  attempt: attempts.length + 1,
});
