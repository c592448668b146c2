import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { UserId, WebhookId, WorkspaceId } from '../../../shared/contract/ids.ts';
import type { AttemptWebhook, Notification, NotificationMessage } from '../../../shared/contract/messages.ts';
import { notificationTypes } from '../../../shared/contract/vocabulary.ts';
import {
  type AttemptPorts,
  attemptWebhook,
  bodyOf,
  secretOf,
  signatureOf,
} from '../../../shared/domain/notifications/attempt-webhook.ts';
import { tellWebhooks } from '../../../shared/domain/notifications/tell-webhooks.ts';
import type { Posted, SentNotification, Webhook } from '../../../shared/domain/notifications/webhook.ts';

const workspace = v.parse(WorkspaceId, 'ws');
const user = v.parse(UserId, 'someone');
const at = '2026-11-22T10:00:00.000Z';
const key = async () => Buffer.alloc(32, 7);
const hook = (id: string, more: Partial<Webhook> = {}): Webhook => ({
  workspace_id: workspace,
  id: v.parse(WebhookId, id),
  url: `https://${id}.example/hook`,
  events: [...notificationTypes],
  format: 'json',
  secret_version: 1,
  created_at: at,
  created_by: user,
  updated_at: at,
  updated_by: user,
  ...more,
});
const notification: Notification = {
  id: 'n1',
  type: 'delivery.failed',
  occurred_at: at,
  summary: 'A dbt delivery failed.',
  data: { delivery_id: 'd1' },
};

/** Stores and a queue in memory, and receivers with scripted responses. */
function world(hooks: Webhook[], answer: (url: string, attempt: number) => Posted) {
  const sent = new Map<string, SentNotification>();
  const queued: { message: NotificationMessage; delaySeconds: number }[] = [];
  const posted: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = [];
  const undelivered: string[] = [];
  const placeOf = (one: Pick<SentNotification, 'webhook_id'>, id: string) => `${one.webhook_id} ${id}`;
  const ports = {
    registry: {
      webhooks: {
        list: async () => hooks,
        find: async ({ id }: Pick<Webhook, 'id'>) => {
          const record = hooks.find((one) => one.id === id);
          return record ? { record, revision: 1 } : null;
        },
      },
    },
    sent: {
      open: async (one: SentNotification) => {
        const place = placeOf(one, one.notification.id);
        if (!sent.has(place)) sent.set(place, one);
        return sent.get(place) ?? one;
      },
      get: async (_: WorkspaceId, webhook_id: WebhookId, id: string) => sent.get(placeOf({ webhook_id }, id)) ?? null,
      change: async (before: SentNotification, after: SentNotification) => {
        const place = placeOf(before, before.notification.id);
        const now = sent.get(place);
        if (now?.state !== before.state || now.attempts.length !== before.attempts.length) return false;
        sent.set(place, after);
        return true;
      },
    },
    queue: {
      send: async (message: NotificationMessage, { delaySeconds }: { delaySeconds: number } = { delaySeconds: 0 }) => {
        queued.push({ message, delaySeconds });
      },
    },
    post: async (url: string, headers: Readonly<Record<string, string>>, body: string) => {
      posted.push({ url, headers, body });
      return answer(url, posted.filter((one) => one.url === url).length);
    },
    key,
    clock: { now: () => new Date(at) },
    onUndelivered: ({ webhook_id }: SentNotification) => void undelivered.push(webhook_id),
  } as unknown as Parameters<typeof tellWebhooks>[0] & AttemptPorts;
  const work = async (message: NotificationMessage): Promise<void> =>
    message.kind === 'tell_webhooks' ? tellWebhooks(ports, message) : attemptWebhook(ports, message);
  const drain = async (): Promise<number[]> => {
    const delays: number[] = [];
    for (let next = queued.shift(); next; next = queued.shift()) {
      delays.push(next.delaySeconds);
      await work(next.message);
    }
    return delays;
  };
  return { sent, queued, posted, undelivered, work, drain };
}

const tell = { version: 1, kind: 'tell_webhooks', workspace_id: workspace, notification } as const;

describe('telling webhooks', () => {
  it('tells those that asked for the type, with a signature over the time and the body (C-HOOK-2, C-HOOK-3)', async () => {
    const hooks = [hook('a'), hook('b', { events: ['gap.opened'] })];
    const { posted, work, drain } = world(hooks, () => ({ status: 204 }));
    await work(tell);
    await drain();
    expect(posted.map(({ url }) => url)).toEqual(['https://a.example/hook']);
    const [{ headers, body } = { headers: {}, body: '' }] = posted;
    expect(JSON.parse(body)).toEqual({ ...notification, workspace_id: 'ws' });
    const seconds = Date.parse(at) / 1000;
    const secret = await secretOf(key, hook('a'));
    const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    expect((headers as Record<string, string>)['X-Tributary-Signature']).toBe(`t=${seconds},v1=${expected}`);
  });

  it('tries five times with growing waits, then lists the notification as failed (C-HOOK-5)', async () => {
    const { sent, posted, undelivered, work, drain } = world([hook('a')], () => ({ status: 500 }));
    await work(tell);
    expect(await drain()).toEqual([0, 10, 60, 300, 900]);
    expect(posted).toHaveLength(5);
    expect(undelivered).toEqual(['a']);
    expect([...sent.values()]).toMatchObject([{ state: 'failed', next_attempt_at: null, attempts: { length: 5 } }]);
  });

  it('stops at the first attempt that is taken', async () => {
    const answer = (_: string, attempt: number): Posted => (attempt < 3 ? { error: 'unreachable' } : { status: 200 });
    const { sent, posted, work, drain } = world([hook('a')], answer);
    await work(tell);
    await drain();
    expect(posted).toHaveLength(3);
    expect([...sent.values()]).toMatchObject([{ state: 'delivered' }]);
  });

  it('delivers to each once, whatever messages come twice or late, and loses none (C-HOOK-5)', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
        fc.array(fc.nat(20), { maxLength: 20 }),
        async (failures, repeats) => {
          const hooks = ['a', 'b', 'c'].map((id) => hook(id));
          const takes = new Map(hooks.map(({ url }, i) => [url, (failures[i] ?? 0) + 1]));
          const { queued, posted, sent, work, drain } = world(hooks, (url, attempt) =>
            attempt >= (takes.get(url) ?? 1) ? { status: 200 } : { status: 503 },
          );
          await work(tell);
          const seen: NotificationMessage[] = [tell];
          for (const repeat of repeats) {
            const next = queued.shift()?.message;
            if (next) seen.push(next);
            if (next) await work(next);
            await work(seen[repeat % seen.length] ?? tell);
          }
          await drain();
          for (const { url } of hooks)
            expect(posted.filter((one) => one.url === url)).toHaveLength(takes.get(url) ?? 0);
          expect([...sent.values()].every(({ state }) => state === 'delivered')).toBe(true);
        },
      ),
    ));

  it('asks again for the next attempt where asking broke off', async () => {
    const { queued, posted, work, drain } = world([hook('a')], (_, attempt) => ({ status: attempt < 2 ? 500 : 200 }));
    await work(tell);
    const first = queued.shift()?.message as AttemptWebhook;
    await work(first);
    queued.length = 0;
    await work(first);
    expect(await drain()).toEqual([10]);
    expect(posted).toHaveLength(2);
  });
});

describe('what a webhook is sent', () => {
  let secrets: Set<string>;
  beforeEach(() => {
    secrets = new Set();
  });

  it('is signed with its own secret, and another one for each version', async () => {
    for (const one of [hook('a'), hook('b'), hook('a', { secret_version: 2 })]) secrets.add(await secretOf(key, one));
    expect(secrets.size).toBe(3);
    expect(signatureOf('s', '{}', new Date(0))).toMatch(/^t=0,v1=[0-9a-f]{64}$/);
  });

  it('is a text for a chat, without links or mentions made from names (C-HOOK-4)', () => {
    const fields = { ...notification, summary: 'The check “<!channel> & <http://x|y>” fails.' };
    expect(JSON.parse(bodyOf('slack', workspace, fields))).toEqual({
      text: '*delivery.failed* The check “&lt;!channel&gt; &amp; &lt;http://x|y&gt;” fails.',
    });
  });
});
