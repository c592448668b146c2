import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessRequests, agentAuthorization } from '../../functions/access/access.ts';
import { tokenRoutes } from '../../functions/access/tokens.ts';
import { accessRoutes } from '../../shared/contract/access.ts';
import { accessRequestRoutes } from '../../shared/contract/access-requests.ts';
import { agentAuthorizationRoutes } from '../../shared/contract/agent-authorization.ts';
import { displayedCode } from '../../shared/contract/oauth-clients.ts';
import { addMember, setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { type Json, jsonAnswer } from '../support/json-answer.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let workspace: string;
let admin: string;
let clock = () => new Date();
let respond: ReturnType<typeof responder>;

beforeAll(async () => {
  const ports = { ...world.operator, clock: { now: () => clock() } };
  respond = responder(
    { ...accessRoutes, ...agentAuthorizationRoutes, ...accessRequestRoutes },
    {
      ...tokenRoutes(ports),
      ...agentAuthorization({ ...ports, membership: httpPorts().membership }),
      ...accessRequests({ ...accessPorts(), ...ports }),
    },
    { ...httpPorts(), clock: { now: () => clock() } },
  );
  workspace = (await world.workspace('agents')).id;
  admin = await world.issuer.sign('agents-admin');
});

const post = async (path: string, body: Json, token: string | null = admin) =>
  jsonAnswer(await respond(request('POST', path, { token, body })));

const verifier = randomBytes(48).toString('base64url');
const query = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  redirect_uri: 'http://127.0.0.1:7777/callback',
  device_id: 'device-12345',
  device_name: 'laptop',
};
const authorize = (extra: Json = {}, token = admin) =>
  post('/v1/agent/authorize', { workspace_id: workspace, ...query, ...extra }, token);
const exchange = (code: unknown, extra: Json = {}) => {
  const { redirect_uri, device_id } = query;
  return post('/v1/agent/token', { code, code_verifier: verifier, redirect_uri, device_id, ...extra }, null);
};
const codeFor = async (extra: Json = {}) => String((await authorize(extra)).json['code']);

describe('the authorization of agents', () => {
  it('exchanges a code for a token with the scopes that were asked for, listed by device and good for 90 days (C-AGENT-2)', async () => {
    const granted = await authorize({
      scope: 'write read',
      client_name: 'studio',
      resource: 'https://lineage.test/mcp',
    });
    expect(granted).toMatchObject({ status: 200, json: { expires_in: 600 } });
    expect(Object.keys(granted.json).toSorted()).toEqual(['code', 'expires_in']);
    const created = await exchange(granted.json['code'], { resource: 'https://lineage.test/mcp' });
    expect(created).toMatchObject({
      status: 200,
      json: { name: 'studio on laptop', scopes: ['read', 'write'], client_kind: 'agent', workspace_id: workspace },
    });
    const { created_at, expires_at, token, id } = created.json as Record<string, string>;
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at ?? '')).toBe(90 * 86_400_000);
    expect(token).toMatch(/^dpt_/);
    const { body } = await respond(
      request('GET', '/v1/auth/tokens', { token: admin, query: { workspace_id: workspace } }),
    );
    const { items } = JSON.parse(String(body)) as { items: Json[] };
    const device = { device_id: 'device-12345', client_name: 'studio', resource: 'https://lineage.test/mcp' };
    expect(items.find((one) => one['id'] === id)).toMatchObject({ device, created_by: 'agents-admin' });
  });

  it('can only read if no scope was requested', async () => {
    expect((await exchange(await codeFor())).json['scopes']).toEqual(['read']);
  });

  it('shows the code for a machine without a browser', async () => {
    const code = await codeFor({ redirect_uri: displayedCode });
    expect((await exchange(code, { redirect_uri: displayedCode })).status).toBe(200);
  });

  it.each([
    ['another verifier', { code_verifier: randomBytes(48).toString('base64url') }],
    ['the challenge as the verifier', { code_verifier: query.code_challenge }],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:7777/other' }],
    ['another device', { device_id: 'device-54321' }],
    ['another resource', { resource: 'https://elsewhere.test' }],
  ])('spends a code on %s (C-AGENT-3)', async (_, wrong) => {
    const code = await codeFor();
    expect(await exchange(code, wrong)).toMatchObject({ status: 422, code: 'invalid_grant' });
    expect(await exchange(code)).toMatchObject({ status: 422, code: 'invalid_grant' });
  });

  it('gives one token for a code, however many ask at once (C-AGENT-3)', async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter((one) => one.code === 'invalid_grant')).toHaveLength(9);
  });

  it('lets a code expire after ten minutes (C-AGENT-3)', async () => {
    const start = Date.now();
    for (const [age, status] of [
      [599_999, 200],
      [600_000, 422],
    ] as const) {
      clock = () => new Date(start);
      const code = await codeFor();
      clock = () => new Date(start + age);
      expect((await exchange(code)).status).toBe(status);
    }
    clock = () => new Date();
  });

  it('is for administrators in a session, in a workspace that has tokens (C-AGENT-1)', async () => {
    expect((await authorize({}, await world.issuer.sign('agents-editor'))).code).toBe('insufficient_workspace_role');
    const { id } = await world.workspace('closed');
    const { token } = await world.token(id, 'closed-admin', ['admin']);
    const closed = await world.issuer.sign('closed-admin');
    expect((await authorize({ workspace_id: id }, token)).code).toBe('session_required');
    const code = (await authorize({ workspace_id: id }, closed)).json['code'];
    await setPatsEnabled(world.operator, id, false);
    expect((await authorize({ workspace_id: id }, closed)).code).toBe('pats_disabled');
    expect((await exchange(code)).code).toBe('pats_disabled');
  });

  describe('for a member who is no administrator (C-AGENT-16)', () => {
    const ask = (token: string, extra: Json = {}) =>
      post('/v1/agent/authorize/requests', { workspace_id: workspace, ...query, ...extra }, token);
    const decide = async (id: unknown, decision: string, body: Json = {}, token = admin) =>
      jsonAnswer(
        await respond(
          request('POST', `/v1/access/requests/{access_request_id}/${decision}`, {
            token,
            params: { access_request_id: String(id) },
            query: { workspace_id: workspace },
            body,
          }),
        ),
      );
    const attention = async () => {
      const parts = { token: admin, query: { workspace_id: workspace } };
      const { json } = jsonAnswer(await respond(request('GET', '/v1/access/attention', parts)));
      return json['items'] as Json[];
    };
    const sign = (role: string) => world.issuer.sign(`agents-${role}`);
    const newDevice = () => ({ device_id: `device-${randomUUID()}` });

    it('asks, is listed under Attention, and gets one code once an administrator approves', async () => {
      const [viewer, device] = [await sign('viewer'), newDevice()];
      const first = await ask(viewer, { ...device, client_name: 'studio' });
      expect(first).toMatchObject({ status: 201, json: { state: 'pending', granted: null } });
      const { id } = first.json;
      expect(await ask(viewer, device)).toMatchObject({ status: 200, json: { id, state: 'pending', granted: null } });
      expect((await attention()).find((one) => one['id'] === id)).toMatchObject({
        kind: 'access_request',
        title: 'A member requests a token for studio on 127.0.0.1:7777',
        description: 'Permissions: read.',
        requester: 'agents-viewer',
      });
      expect((await decide(id, 'approve')).status).toBe(200);
      // The program listens at another port when it signs in again.
      const redirect_uri = 'http://127.0.0.1:9999/callback';
      const granted = await ask(viewer, { ...device, redirect_uri });
      expect(granted).toMatchObject({ status: 200, json: { state: 'approved', granted: { expires_in: 600 } } });
      const { code } = granted.json['granted'] as Json;
      const token = await exchange(code, { ...device, redirect_uri });
      expect(token).toMatchObject({ status: 200, json: { scopes: ['read'], workspace_id: workspace } });
      const again = await ask(viewer, device);
      expect([again.status, again.json['id'] === id]).toEqual([201, false]);
      expect(
        (
          await world.operator.registry.members.find({
            workspace_id: workspace as never,
            user_id: 'agents-viewer' as never,
          })
        )?.record.role,
      ).toBe('viewer');
    });

    it('gets no scope beyond the own role, and less if the administrator says so', async () => {
      const [viewer, editor, device] = [await sign('viewer'), await sign('editor'), newDevice()];
      expect((await ask(viewer, { ...device, scope: 'read write' })).code).toBe('insufficient_workspace_role');
      expect((await ask(editor, { ...device, scope: 'admin' })).code).toBe('insufficient_workspace_role');
      const { json } = await ask(editor, { ...device, scope: 'read write' });
      expect((await decide(json['id'], 'approve', { role: 'admin' })).code).toBe('validation_error');
      expect((await decide(json['id'], 'approve', { role: 'viewer' })).json).toMatchObject({ granted_role: 'viewer' });
      const granted = await ask(editor, { ...device, scope: 'read write' });
      const { code } = granted.json['granted'] as Json;
      expect((await exchange(code, device)).json['scopes']).toEqual(['read']);
    });

    it('loses what the role no longer permits before the program signs in', async () => {
      const [editor, device] = [await sign('editor'), newDevice()];
      const { json } = await ask(editor, { ...device, scope: 'read write' });
      await decide(json['id'], 'approve');
      const members = { workspace_id: workspace as never, user_id: 'agents-editor' };
      await addMember(world.operator, workspace as never, { user_id: 'agents-editor', role: 'viewer' });
      expect((await ask(editor, { ...device, scope: 'read write' })).code).toBe('insufficient_workspace_role');
      await addMember(world.operator, members.workspace_id, { user_id: 'agents-editor', role: 'editor' });
    });

    it('learns of a denial, and may ask again by another sign-in', async () => {
      const [viewer, device] = [await sign('viewer'), newDevice()];
      const { json } = await ask(viewer, device);
      await decide(json['id'], 'deny', { reason: 'not this one' });
      expect((await ask(viewer, device)).json).toMatchObject({ id: json['id'], state: 'denied', granted: null });
      expect(await ask(viewer, { ...device, code_challenge: 'x'.repeat(43) })).toMatchObject({ status: 201 });
    });

    it('has to use an approval within a week, and nobody approves their own', async () => {
      const [viewer, device] = [await sign('viewer'), newDevice()];
      const { json } = await ask(viewer, device);
      await decide(json['id'], 'approve');
      const late = Date.now() + 7 * 86_400_000;
      clock = () => new Date(late);
      const token = await world.issuer.sign('agents-viewer', {
        expiresAt: new Date(late + 60_000),
        issuedAt: new Date(late - 1_000),
      });
      expect(await ask(token, device)).toMatchObject({ status: 201, json: { state: 'pending' } });
      clock = () => new Date();
      const own = await ask(admin, newDevice());
      expect((await decide(own.json['id'], 'approve')).code).toBe('insufficient_workspace_role');
    });

    it('needs a session', async () => {
      const { token } = await world.token(workspace as never, 'agents-viewer', ['read', 'write', 'admin']);
      expect((await ask(token, newDevice())).code).toBe('session_required');
    });
  });

  it('writes down who let which device in', async () => {
    await codeFor({ device_name: 'audited' });
    const entries = await world.operator.registry.audit.latest(workspace as never, 100);
    const [entry] = entries.filter(({ subject }) => subject['device_name'] === 'audited');
    expect(entry).toMatchObject({ actor: 'agents-admin', action: 'agent.authorize' });
    expect(JSON.stringify(entries)).not.toContain(query.code_challenge);
  });

  it.each<[string, Json, Json]>([
    ['code_challenge', { code_challenge: '~'.repeat(43) }, { code_challenge: '+'.repeat(43) }],
    ['code_challenge_method', { code_challenge_method: 'S256' }, { code_challenge_method: 'plain' }],
    ['redirect_uri', { redirect_uri: 'http://localhost:1/' }, { redirect_uri: 'http://localhost:99999/' }],
    ['redirect_uri', { redirect_uri: 'http://127.0.0.1' }, { redirect_uri: 'https://evil.test/127.0.0.1' }],
    ['redirect_uri', { redirect_uri: 'http://localhost?a=b' }, { redirect_uri: 'http://localhost.evil.test/' }],
    ['redirect_uri', { redirect_uri: 'http://localhost/a' }, { redirect_uri: 'http://localhost/a#b' }],
    ['redirect_uri', { redirect_uri: 'http://localhost/@' }, { redirect_uri: 'http://localhost@evil.test/' }],
    ['scope', { scope: 'admin read write' }, { scope: 'everything' }],
  ])('holds %s to its rules (C-AGENT-1, C-AGENT-6)', async (field, good, bad) => {
    expect((await authorize(good)).status).toBe(200);
    const refused = await authorize(bad);
    expect([refused.status, refused.code]).toEqual([422, 'validation_error']);
    expect(JSON.stringify(refused.json)).toContain(`"/${field}"`);
  });

  it('takes no redirect address that a browser would carry off the machine (C-AGENT-6)', async () => {
    const host = fc.constantFrom('127.0.0.1', '[::1]', 'localhost', 'LOCALHOST', 'evil.test', '0.0.0.0', 'a@localhost');
    const uri = fc
      .tuple(fc.constantFrom('http:', 'https:', 'file:'), fc.constantFrom('//', '/', '\\\\'), host, fc.string())
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(uri, async (redirect_uri) => {
        const { status } = await authorize({ redirect_uri });
        if (status !== 200) return;
        expect(['127.0.0.1', '[::1]', 'localhost']).toContain(new URL(redirect_uri).hostname);
      }),
      { numRuns: 200 },
    );
  });
});
