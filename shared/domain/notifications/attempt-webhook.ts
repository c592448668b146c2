import { limits } from '../../contract/limits.ts';
import type { AttemptWebhook } from '../../contract/notification-messages.ts';
import type { WebhookAttempt } from '../../contract/webhooks.ts';
import type { Clock } from '../time/clock.ts';
import { bodyOf, type Told } from './body.ts';
import type { NotificationQueue, Post, SentStore, WebhookKey, WebhookReader } from './ports.ts';
import { secretOf, signatureHeader, signatureOf } from './signature.ts';
import { nextAttempt } from './tell-webhooks.ts';
import type { SentNotification, Webhook } from './webhook.ts';

export type PostPorts = { readonly post: Post; readonly key: WebhookKey; readonly clock: Clock };

export type AttemptPorts = PostPorts & {
  readonly registry: WebhookReader;
  readonly sent: Pick<SentStore, 'get' | 'change'>;
  readonly queue: NotificationQueue;
  /** Called for a notification that no attempt could deliver. */
  readonly onUndelivered: (sent: SentNotification) => void;
};

/** Makes the attempt that a message asks for, and asks for the next one where it failed: C-HOOK-5. */
export async function attemptWebhook(ports: AttemptPorts, message: AttemptWebhook): Promise<void> {
  const { workspace_id, webhook_id, notification_id } = message;
  const before = await ports.sent.get(workspace_id, webhook_id, notification_id);
  if (before?.state !== 'pending') return;
  // The attempt was made, and asking for the next one perhaps broke off.
  if (before.attempts.length === message.attempt) return sendAfterWait(ports, before);
  if (before.attempts.length !== message.attempt - 1) return;
  const found = await ports.registry.webhooks.find({ workspace_id, id: webhook_id });
  if (!found) return;
  const attempt = await postTo(ports, found.record, before.notification);
  const after = settled(before, attempt);
  if (!(await ports.sent.change(before, after))) return;
  if (after.state === 'pending') await sendAfterWait(ports, after);
  if (after.state === 'failed') ports.onUndelivered(after);
}

/** One signed request: C-HOOK-3. */
export async function postTo(ports: PostPorts, webhook: Webhook, told: Told): Promise<WebhookAttempt> {
  const body = bodyOf(webhook.format, webhook.workspace_id, told);
  const now = ports.clock.now();
  const posted = await ports.post(
    webhook.url,
    {
      'content-type': 'application/json',
      'user-agent': 'Tributary',
      [signatureHeader]: signatureOf(await secretOf(ports.key, webhook), body, now),
    },
    body,
  );
  const at = now.toISOString();
  return 'status' in posted ? { at, status: posted.status, error: null } : { at, status: null, error: posted.error };
}

/** Whether the receiver answered with a 2xx status. */
export const isDelivered = ({ status }: WebhookAttempt): boolean => status !== null && status >= 200 && status < 300;

const { waits } = limits.webhook;

const waitAfter = (attempts: number): number | undefined => waits[attempts - 1];

function settled(before: SentNotification, attempt: WebhookAttempt): SentNotification {
  const attempts = [...before.attempts, attempt];
  const wait = waitAfter(attempts.length);
  if (isDelivered(attempt)) return { ...before, attempts, state: 'delivered', next_attempt_at: null };
  if (wait === undefined) return { ...before, attempts, state: 'failed', next_attempt_at: null };
  return { ...before, attempts, next_attempt_at: new Date(Date.parse(attempt.at) + wait * 1_000).toISOString() };
}

const sendAfterWait = ({ queue }: Pick<AttemptPorts, 'queue'>, sent: SentNotification): Promise<void> =>
  queue.send(nextAttempt(sent), { delaySeconds: waitAfter(sent.attempts.length) ?? 0 });
