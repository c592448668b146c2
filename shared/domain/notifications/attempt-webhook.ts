import { createHmac } from 'node:crypto';
import type { WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import type { AttemptWebhook, Notification } from '../../contract/messages.ts';
import type { WebhookFormat } from '../../contract/vocabulary.ts';
import type { WebhookAttempt } from '../../contract/webhooks.ts';
import type { Clock } from '../base/time/timestamp.ts';
import { nextAttempt } from './tell-webhooks.ts';
import type {
  NotificationQueue,
  Post,
  SentNotification,
  SentStore,
  Webhook,
  WebhookKey,
  WebhookReader,
} from './webhook.ts';

export type AttemptPorts = {
  readonly post: Post;
  readonly key: WebhookKey;
  readonly clock: Clock;
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
export async function postTo(
  ports: Pick<AttemptPorts, 'post' | 'key' | 'clock'>,
  webhook: Webhook,
  notification: PostedNotification,
): Promise<WebhookAttempt> {
  const body = bodyOf(webhook.format, webhook.workspace_id, notification);
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

export const signatureHeader = 'X-Tributary-Signature';

/** The secret of a webhook: derived, so that none has to be stored, and another one for each version. */
export async function secretOf(
  key: WebhookKey,
  { workspace_id, id, secret_version }: Pick<Webhook, 'workspace_id' | 'id' | 'secret_version'>,
): Promise<string> {
  const derived = createHmac('sha256', await key()).update(`webhook\n${workspace_id}\n${id}\n${secret_version}`);
  return `whsec_${derived.digest('base64url')}`;
}

/** `t=<seconds since 1970>,v1=<hex>`, the HMAC-SHA-256 of `<t>.<body>`: C-HOOK-3. */
export function signatureOf(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** What a webhook is sent: a notification, or the test of one. */
type PostedNotification = Omit<Notification, 'type'> & { readonly type: string };

/** The body of a notification in the form that its webhook takes: C-HOOK-3, C-HOOK-4. */
export function bodyOf(format: WebhookFormat, workspace: WorkspaceId, notification: PostedNotification): string {
  if (format === 'slack') return JSON.stringify({ text: escaped(`*${notification.type}* ${notification.summary}`) });
  const { id, type, occurred_at, summary, data } = notification;
  return JSON.stringify({ id, type, workspace_id: workspace, occurred_at, summary, data });
}

/** The three characters that Slack's markup gives a meaning: a name of the data must not become a link or a mention. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
