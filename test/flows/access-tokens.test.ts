import { beforeAll, describe, expect, it } from 'vitest';
import { tokenRoutes } from '../../functions/access/tokens.ts';
import { registeredKey, secretKey, workspaceRateKey } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { accessReader } from '../../shared/adapters/dynamodb/registry/registry-readers.ts';
import { batchGet } from '../../shared/adapters/dynamodb/requests/items.ts';
import { accessRoutes } from '../../shared/contract/access.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import type { HttpRequest } from '../../shared/runtime/api-gateway.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { sharedRateGuard } from '../../shared/runtime/rate-guard.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let send: (request: HttpRequest) => Promise<{ status: number; headers: Record<string, string>; json: Json }>;
type Json = { readonly [key: string]: never } & Record<string, unknown>;
let clock = () => new Date();

beforeAll(async () => {
  const ports = { ...httpPorts(), clock: { now: () => clock() } };
  const respond = responder(accessRoutes, tokenRoutes({ ...world.operator, clock: { now: () => clock() } }), ports);
  send = async (one) => {
    const { status, headers, body } = await respond(one);
    return { status, headers: { ...headers }, json: body === '' ? {} : JSON.parse(String(body)) };
  };
});

const tokens = '/v1/auth/tokens';
const codeOf = ({ json }: { json: Json }) => (json['detail'] as unknown as { code: string } | undefined)?.code;

async function createdBy(user: string, workspace_id: string, extra: object = {}) {
  const body = { workspace_id, name: 'laptop', expires_in_days: 30, scopes: ['read'], client_kind: 'cli', ...extra };
  return send(request('POST', tokens, { token: await world.issuer.sign(user), body }));
}

describe('personal access tokens', () => {
  it('are shown once, listed without their secret, and end when they are revoked (C-TOKEN-3)', async () => {
    const { id } = await world.workspace('lifecycle');
    const created = await createdBy('lifecycle-admin', id, { scopes: ['admin', 'read', 'read'] });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ workspace_id: id, scopes: ['read', 'admin'], client_kind: 'cli' });
    expect(created.json['token']).toMatch(/^dpt_[A-Za-z0-9_-]{49}$/);
    const token = String(created.json['token']);
    const listed = await send(request('GET', tokens, { token, query: { workspace_id: id } }));
    expect(listed.status).toBe(200);
    expect(JSON.stringify(listed.json)).not.toContain(token);
    expect(listed.json['items']).toMatchObject([{ id: created.json['id'], revoked_at: null }]);
    const revoke = { token, query: { workspace_id: id }, params: { token_id: String(created.json['id']) } };
    expect((await send(request('DELETE', `${tokens}/{token_id}`, revoke))).status).toBe(204);
    expect(codeOf(await send(request('GET', tokens, { token, query: { workspace_id: id } })))).toBe('unauthorized');
  });

  it('leave nothing in the table a month after they expire (G-REGISTRY-3)', async () => {
    const { id } = await world.workspace('leftovers');
    const { record } = await world.token(id, 'leftovers-admin', ['read']);
    const stored = await batchGet(world.table, [registeredKey(id, 'token', record.id), secretKey(record.hash)]);
    const month = Date.parse(record.expires_at) / 1_000 + 30 * 86_400;
    expect(stored.map(({ ttl }) => Number(ttl?.N))).toEqual([Math.ceil(month), Math.ceil(month)]);
  });

  it('are made by administrators in a session only, with the fields in their bounds (C-TOKEN-1, C-TOKEN-2, C-LIMIT-6)', async () => {
    const { id } = await world.workspace('makers');
    expect(codeOf(await createdBy('makers-editor', id))).toBe('insufficient_workspace_role');
    const { token } = await world.token(id, 'makers-admin', ['admin']);
    const body = { workspace_id: id, name: 'x', expires_in_days: 1, scopes: ['read'] };
    expect(codeOf(await send(request('POST', tokens, { token, body })))).toBe('session_required');
    for (const bad of [
      { expires_in_days: 0 },
      { expires_in_days: 366 },
      { expires_in_days: 1.5 },
      { scopes: [] },
      { scopes: ['root'] },
      { name: '' },
      { client_kind: 'toaster' },
      { workspace_id: undefined },
      { more: 1 },
    ]) {
      const refused = await createdBy('makers-admin', id, bad);
      expect([refused.status, codeOf(refused)], JSON.stringify(bad)).toEqual([422, 'validation_error']);
      // The request id beside them is random, and may spell any number.
      expect(JSON.stringify(refused.json, ['detail', 'code', 'message', 'errors', 'path'])).not.toMatch(
        /toaster|root|366/,
      );
    }
  });

  it('are blocked while the workspace has them off, and revived when it has them on again (C-TOKEN-4)', async () => {
    const { id } = await world.workspace('switched');
    const { token } = await world.token(id, 'switched-admin', ['admin']);
    const list = () => send(request('GET', tokens, { token, query: { workspace_id: id } }));
    expect((await list()).status).toBe(200);
    await setPatsEnabled(world.operator, id, false);
    expect(codeOf(await list())).toBe('pats_disabled');
    expect(codeOf(await createdBy('switched-admin', id))).toBe('pats_disabled');
    await setPatsEnabled(world.operator, id, true);
    expect((await list()).status).toBe(200);
  });

  it('expire, and note their use at most once an hour', async () => {
    const { id } = await world.workspace('aging');
    const { token, record } = await world.token(id, 'aging-admin', ['admin']);
    const list = () => send(request('GET', tokens, { token, query: { workspace_id: id } }));
    const usedAt = async () => (await world.operator.registry.tokens.find(record))?.record.last_used_at;
    const start = Date.now();
    const advanceTo = (ms: number) => {
      clock = () => new Date(start + ms);
    };
    for (const [ms, expected] of [
      [0, 0],
      [3_599_000, 0],
      [3_600_000, 3_600_000],
    ] as const) {
      advanceTo(ms);
      expect((await list()).status).toBe(200);
      expect(await usedAt()).toBe(new Date(start + expected).toISOString());
    }
    advanceTo(86_400_001);
    expect(codeOf(await list())).toBe('unauthorized');
    clock = () => new Date();
  });

  it('count for the rate of their workspace, which refuses with the seconds to wait, and for no other (C-LIMIT-8)', async () => {
    const [{ id }, { id: other }] = [await world.workspace('rated'), await world.workspace('unrated')];
    // Two functions that do not share state.
    const [one, two] = [1, 2].map(() => sharedRateGuard(world.table, workspaceRateKey));
    if (!one || !two) throw new Error('no guards');
    const guards = [one, two, one, two];
    let requested = 0;
    const now = new Date();
    const guard = (workspace: WorkspaceId) =>
      (guards[requested++ % guards.length] ?? one)(workspace, () => now.getTime(), 1, { perSecond: 0.1, burst: 2 });
    const ports = { ...httpPorts(), clock: { now: () => now }, rateGuard: guard };
    const respond = responder(accessRoutes, tokenRoutes(world.operator), ports);
    const list = async (user: string, workspace_id: string) =>
      respond(request('GET', tokens, { token: await world.issuer.sign(user), query: { workspace_id } }));
    for (let refused = 0; refused < 5; refused++) expect((await list('rated-viewer', id)).status).toBe(403);
    const statuses = [await list('rated-admin', id), await list('rated-admin', id), await list('rated-admin', id)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(statuses[2]?.headers['retry-after']).toBe('10');
    expect((await list('unrated-admin', other)).status).toBe(200);
  });

  it('are noted once by many uses at once, and honoured if the note is lost', async () => {
    const { id } = await world.workspace('noted');
    const { token, record } = await world.token(id, 'noted-admin', ['admin']);
    const list = () => send(request('GET', tokens, { token, query: { workspace_id: id } }));
    const uses = await Promise.all(Array.from({ length: 20 }, list));
    expect(new Set(uses.map(({ status }) => status))).toEqual(new Set([200]));
    const reader = accessReader(world.table);
    const notedAt = async () => (await reader.token(record.hash))?.token.last_used_at;
    const first = await notedAt();
    expect(first).not.toBeNull();
    await reader.used(record, new Date(Date.now() + 1_000));
    expect(await notedAt()).toBe(first);
    await accessReader({ ...world.table, name: 'nowhere' }).used(record, new Date());
  });

  it('page by their ids', async () => {
    const { id } = await world.workspace('paging');
    const created = await Promise.all(Array.from({ length: 5 }, () => world.token(id, 'paging-admin', ['admin'])));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { workspace_id: id, limit: '2', ...(cursor !== undefined && { cursor }) };
      const page = await send(request('GET', tokens, { token: created[0]?.token ?? '', query }));
      const items = page.json['items'] as unknown as readonly { id: string }[];
      seen.push(...items.map((item) => item.id));
      cursor = (page.json['next_cursor'] as unknown as string | null) ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(created.map(({ record }) => String(record.id)).toSorted());
  });
});
