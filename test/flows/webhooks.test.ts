import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkImplementations } from '../../functions/agent/checks.ts';
import { webhookImplementations } from '../../functions/webhooks/webhooks.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { webhookCountKey } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { getItem } from '../../shared/adapters/dynamodb/requests/items.ts';
import { agentCheckRoutes } from '../../shared/contract/agent-checks.ts';
import { CollectionProjectId } from '../../shared/contract/ids.ts';
import { NotificationMessage } from '../../shared/contract/messages.ts';
import { webhookRoutes } from '../../shared/contract/webhooks.ts';
import { scanGaps } from '../../shared/domain/lineage/gaps/scan-gaps.ts';
import { attemptWebhook } from '../../shared/domain/notifications/attempt-webhook.ts';
import { tellWebhooks } from '../../shared/domain/notifications/tell-webhooks.ts';
import { agentPorts } from '../../shared/runtime/composition/agent.ts';
import { storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { notifierPorts, webhookPorts } from '../../shared/runtime/composition/notifications.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { drainQueue } from '../support/intake-ports.ts';
import { type Json, jsonAnswer } from '../support/json-answer.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

type Received = { readonly headers: IncomingMessage['headers']; readonly body: string };

const world = provideForAll(startLineageWorld);
let place: LineagePlace;
let respond: ReturnType<typeof responder>;
let receiver: Server;
let url: string;
let received: Received[];
let status: number;
let ports: ReturnType<typeof notifierPorts>;

beforeAll(async () => {
  receiver = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    received.push({ headers: incoming.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('thanks');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  process.env['WEBHOOK_ALLOWED_HOSTS'] = host;
  url = `http://${host}/hook`;
  ports = notifierPorts();
  respond = responder(
    { ...webhookRoutes, ...agentCheckRoutes },
    { ...webhookImplementations(webhookPorts()), ...checkImplementations(agentPorts()) },
    httpPorts(),
  );
});
afterAll(() => void receiver.close());
beforeEach(async () => {
  received = [];
  status = 200;
  place = await world.place();
});

const call = async (method: string, path: string, parts: Parameters<typeof request>[2]) =>
  jsonAnswer(await respond(request(method, path, { token: place.tokens.admin, ...parts })));

const path = '/v1/webhooks';
const create = (more: Json = {}, token = place.tokens.admin) =>
  call('POST', path, { token, body: { workspace_id: place.workspace, url, events: ['check.failed'], ...more } });
const patchOf = (id: unknown, body: Json) =>
  call('PATCH', `${path}/{webhook_id}`, { params: of(id), body: { workspace_id: place.workspace, ...body } });
const of = (id: unknown) => ({ webhook_id: String(id) });
const sentTo = async (id: unknown, query: Readonly<Record<string, string>> = {}) => {
  const parts = { params: of(id), query: { workspace_id: place.workspace, ...query } };
  return (await call('GET', `${path}/{webhook_id}/deliveries`, parts)).json['items'] as readonly Json[];
};

/** Works what the queue of notifications shows now; the waits between attempts are not waited for. */
async function notify(): Promise<void> {
  for (const message of await drainQueue(['notifications'])) {
    const parsed = v.parse(NotificationMessage, message);
    const immediate = { ...ports, queue: { send: async (next: unknown) => void (await work(next)) } };
    const work = async (next: unknown): Promise<void> => {
      const one = v.parse(NotificationMessage, next);
      await (one.kind === 'tell_webhooks' ? tellWebhooks(immediate, one) : attemptWebhook(immediate, one));
    };
    await work(parsed);
  }
}

/** A check of the graph that fails at once. */
async function failingCheck(name = 'no models'): Promise<void> {
  await place.emit(runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']));
  const definition = { workspace_id: place.workspace, name, expectation: 'at most 0 upstream relations' };
  await call('POST', '/v1/agent/checks', { body: definition });
  await world.settle();
}

describe('a webhook', () => {
  it('is notified of a check that begins to fail, signed with the secret that its making showed (C-HOOK-2, C-HOOK-3)', async () => {
    const { json } = await create();
    const { secret, id } = json as { secret: string; id: string };
    await failingCheck('orders feed nothing');
    await notify();
    const [{ headers, body } = { headers: {}, body: '{}' }] = received;
    const { t = '', v1 } = Object.fromEntries(
      String(headers['x-tributary-signature'])
        .split(',')
        .map((part) => part.split('=')),
    );
    expect(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')).toBe(v1);
    expect(JSON.parse(body)).toMatchObject({
      type: 'check.failed',
      workspace_id: place.workspace,
      data: { name: 'orders feed nothing', violations_total: 1, violations: [{ relation_ref: 'crm.core.b' }] },
    });
    expect(await sentTo(id)).toMatchObject([{ type: 'check.failed', state: 'delivered', attempts: [{ status: 200 }] }]);
    expect(received).toHaveLength(1);
  });

  it('is notified of a gap that opens, once (C-HOOK-2)', async () => {
    await create({ events: ['gap.opened'] });
    await place.emit(runEvent('postgres://elsewhere:5432', ['x.y.z'], ['x.y.w']));
    const sweep = { ...sweepPorts(), workspaces: async () => [{ id: place.workspace }] };
    for (let scans = 0; scans < 2; scans++)
      await scanGaps(sweep, { from: null, now: new Date(), timeIsUp: () => false });
    await notify();
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'gap.opened', data: { gap_type: 'unowned_namespace' } },
    ]);
  });

  it('is notified of fields of events that come, and of other types, but not of a project’s first events (C-HOOK-2)', async () => {
    await create({ events: ['shape.changed'] });
    const { noteShapes } = storeEventsPorts();
    const project_id = v.parse(CollectionProjectId, 'shop');
    const store = (...properties: Json[]) =>
      noteShapes(
        properties.map((one) => ({
          workspace_id: place.workspace,
          project_id,
          receivedAt: new Date().toISOString(),
          line: JSON.stringify({ type: 'track', event: 'Order Placed', properties: one }),
        })),
      );
    await store({ total: 1 });
    await store({ total: 2 });
    await store({ total: 'secret value', coupon: true }, { coupon: false });
    await notify();
    const { changes, ...data } = JSON.parse(received[0]?.body ?? '{}').data;
    expect([received.length, data]).toEqual([1, { collection_project_id: project_id, changes_total: 2 }]);
    expect(changes).toMatchObject([
      { kind: 'new_type', event: 'Order Placed', path: 'properties.total', types: ['string'], events: 1 },
      { kind: 'new_field', event: 'Order Placed', path: 'properties.coupon', types: ['boolean'], events: 2 },
    ]);
    expect(JSON.parse(received[0]?.body ?? '{}').summary).toBe(
      'The events of a project changed: new type of Order Placed properties.total, and 1 more change.',
    );
    expect(received[0]?.body).not.toContain('secret value');
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect(await sweepPorts().announcements.due(later, 100)).toEqual([]);
  });

  it('is notified by the sweep if its notification was interrupted after the write', async () => {
    vi.stubEnv('NOTIFICATIONS_QUEUE_URL', `${process.env['NOTIFICATIONS_QUEUE_URL']}-gone`);
    const { noteShapes } = storeEventsPorts();
    vi.unstubAllEnvs();
    const row = { workspace_id: place.workspace, project_id: v.parse(CollectionProjectId, 'shop') };
    for (const event of ['first', 'second'])
      await noteShapes([
        { ...row, receivedAt: new Date().toISOString(), line: JSON.stringify({ type: 'track', event }) },
      ]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const due = await sweepPorts().announcements.due(later, 100);
    expect(due.map(({ notification }) => notification.type)).toEqual(['shape.changed']);
  });

  it('that never accepts a notification has it listed as failed, and a retry sends it again (C-HOOK-5)', async () => {
    const { json } = await create();
    status = 302;
    await failingCheck();
    await notify();
    expect(received).toHaveLength(5);
    const [failed] = await sentTo(json['id'], { state: 'failed' });
    expect(failed).toMatchObject({ state: 'failed', next_attempt_at: null, attempts: { length: 5 } });
    status = 200;
    const retry = () =>
      call('POST', `${path}/{webhook_id}/deliveries/{notification_id}/retry`, {
        params: { ...of(json['id']), notification_id: String(failed?.['id']) },
        body: { workspace_id: place.workspace },
      });
    expect(await retry()).toMatchObject({ status: 202, json: { state: 'pending', attempts: [] } });
    await notify();
    expect(await sentTo(json['id'])).toMatchObject([{ state: 'delivered' }]);
    expect(await retry()).toMatchObject({ status: 409, code: 'conflict' });
    expect(await sentTo(json['id'], { state: 'failed' })).toEqual([]);
  });

  it('shows its secret only in the response that created or rotated it (C-HOOK-6)', async () => {
    const { json: created } = await create({ format: 'slack' });
    const id = created['id'];
    const list = await call('GET', path, { query: { workspace_id: place.workspace } });
    expect(list.json).toMatchObject({ items: [{ id, format: 'slack' }], next_cursor: null });
    const patch = (body: Json) => patchOf(id, body);
    const rotated = await patch({ rotate_secret: true });
    expect(rotated.json['secret']).toMatch(/^whsec_/);
    expect((await patch({ events: ['gap.opened', 'gap.opened'] })).json).toMatchObject({
      events: ['gap.opened'],
      secret: null,
    });
    expect(JSON.stringify(list.json)).not.toContain('whsec_');
    expect(rotated.json['secret']).not.toBe(created['secret']);
  });

  it('shows the address of a chat only in the response that sets it (C-HOOK-7)', async () => {
    const { json: created } = await create({ format: 'slack' });
    const id = created['id'];
    expect(created['url']).toBe(url);
    const listed = async () =>
      (await call('GET', path, { query: { workspace_id: place.workspace } })).json['items'] as readonly Json[];
    const shown = `${new URL(url).origin}/…`;
    expect(await listed()).toMatchObject([{ id, url: shown }]);
    expect((await patchOf(id, { url: shown, events: ['gap.opened'] })).json).toMatchObject({ url: shown });
    expect((await patchOf(id, { format: 'json' })).code).toBe('validation_error');
    expect((await patchOf(id, { format: 'json', url: shown })).code).toBe('validation_error');
    expect(await listed()).toMatchObject([{ url: shown, format: 'slack' }]);
    const test = { params: of(id), body: { workspace_id: place.workspace } };
    expect((await call('POST', `${path}/{webhook_id}/test`, test)).json).toMatchObject({ delivered: true });
    expect((await patchOf(id, { format: 'json', url })).json).toMatchObject({ url });
  });

  it('can be tested, and shows the result (C-HOOK-4, C-HOOK-6)', async () => {
    const { json } = await create({ format: 'slack' });
    const test = () =>
      call('POST', `${path}/{webhook_id}/test`, { params: of(json['id']), body: { workspace_id: place.workspace } });
    expect((await test()).json).toMatchObject({ delivered: true, attempt: { status: 200, error: null } });
    expect(JSON.parse(received[0]?.body ?? '{}')).toEqual({ text: expect.stringContaining('*test*') });
    status = 500;
    expect((await test()).json).toMatchObject({ delivered: false, attempt: { status: 500 } });
    expect(await sentTo(json['id'])).toEqual([]);
  });

  it('receives nothing after it is removed, and nothing from another workspace', async () => {
    const { json } = await create();
    const elsewhere = place;
    place = await world.place();
    await failingCheck();
    await notify();
    expect(received).toEqual([]);
    place = elsewhere;
    const removed = { params: of(json['id']), query: { workspace_id: place.workspace } };
    expect((await call('DELETE', `${path}/{webhook_id}`, removed)).status).toBe(204);
    expect((await call('DELETE', `${path}/{webhook_id}`, removed)).code).toBe('not_found');
    await failingCheck();
    await notify();
    expect(received).toEqual([]);
  });
});

describe('the making of a webhook', () => {
  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com/#part',
    'https://intranet/',
    'file:///etc/passwd',
    'not a url',
  ])('refuses %s, and names only the place (C-HOOK-1)', async (bad) => {
    const { status, code, json } = await create({ url: bad });
    expect([status, code]).toEqual([422, 'validation_error']);
    expect(json).toMatchObject({ detail: { errors: [{ path: '/url' }] } });
    expect(JSON.stringify(json)).not.toContain(bad);
  });

  it('is only for admins, with at most twenty (C-HOOK-1)', async () => {
    expect((await create({}, place.tokens.editor)).status).toBe(403);
    for (let built = 0; built < 20; built++) expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject({ status: 409, code: 'conflict' });
    const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
    expect(await getItem(table, webhookCountKey(place.workspace))).toMatchObject({ count: { N: '20' } });
  });

  it('is one of at most twenty, however many are created at once, and leaves its place when it is deleted (C-HOOK-1)', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => create()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const list = async () => (await call('GET', path, { query: { workspace_id: place.workspace } })).json['items'];
    const items = (await list()) as Json[];
    expect(items).toHaveLength(answers.filter(({ status }) => status === 201).length);
    for (let more = items.length; more < 20; more++) expect((await create()).status).toBe(201);
    const remove = () =>
      call('DELETE', `${path}/{webhook_id}`, {
        params: of(items[0]?.['id']),
        query: { workspace_id: place.workspace },
      });
    const removals = await Promise.all([remove(), remove()]);
    expect(removals.map(({ status }) => status)).toContain(204);
    expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject({ status: 409, code: 'conflict' });
  });
});
