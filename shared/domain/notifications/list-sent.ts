import * as v from 'valibot';
import { Problem } from '../../contract/problems.ts';
import type { WebhookState } from '../../contract/vocabulary.ts';
import type { WebhookDelivery } from '../../contract/webhooks.ts';
import { type BoundList, cutPage, type PageRequest, readCursor } from '../base/paging/cursor.ts';
import type { Clock } from '../base/time/timestamp.ts';
import { nextAttempt } from './tell-webhooks.ts';
import { type NotificationQueue, type SentNotification, type SentStore, sentView, type Webhook } from './webhook.ts';

export async function listSent(
  { sent }: { readonly sent: Pick<SentStore, 'list'> },
  { workspace_id, id }: Webhook,
  { state, limit, cursor }: PageRequest & { readonly state: WebhookState | null },
): Promise<{ workspace_id: string; items: WebhookDelivery[]; next_cursor: string | null }> {
  const list: BoundList = ['webhook-deliveries', workspace_id, id, state];
  const before = readCursor(list, v.string(), cursor);
  // One more than asked for tells whether there is a next page.
  const found = await sent.list(workspace_id, id, { state, limit: limit + 1, before });
  const { page, next_cursor } = cutPage(list, found, limit, ({ place }) => place);
  return { workspace_id, items: page.map(sentView), next_cursor };
}

/** Begins another round of attempts, once. Throws `not_found`, and `conflict` where the notification has not failed. */
export async function retrySent(
  ports: {
    readonly sent: Pick<SentStore, 'get' | 'change'>;
    readonly queue: NotificationQueue;
    readonly clock: Clock;
  },
  { workspace_id, id }: Webhook,
  notification: string,
): Promise<WebhookDelivery> {
  const before = await ports.sent.get(workspace_id, id, notification);
  if (!before) throw new Problem('not_found');
  // The retry was made, and asking for its first attempt perhaps broke off.
  if (before.state === 'pending' && before.attempts.length === 0) return requestAttempt(ports.queue, before);
  const next_attempt_at = ports.clock.now().toISOString();
  const after = { ...before, state: 'pending' as const, attempts: [], next_attempt_at };
  if (before.state !== 'failed' || !(await ports.sent.change(before, after)))
    throw new Problem('conflict', { message: 'Only failed notifications can be retried.' });
  return requestAttempt(ports.queue, after);
}

async function requestAttempt(queue: NotificationQueue, sent: SentNotification): Promise<WebhookDelivery> {
  await queue.send(nextAttempt(sent));
  return sentView(sent);
}
