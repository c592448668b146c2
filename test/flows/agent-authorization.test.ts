import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentAuthorization } from '../../functions/access/access.ts';
import { tokenRoutes } from '../../functions/access/tokens.ts';
import { accessRoutes } from '../../shared/contract/access.ts';
import { agentAuthorizationRoutes } from '../../shared/contract/agent-authorization.ts';
import { displayedCode } from '../../shared/contract/oauth-clients.ts';
import { setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
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
    { ...accessRoutes, ...agentAuthorizationRoutes },
    { ...tokenRoutes(ports), ...agentAuthorization(ports) },
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
