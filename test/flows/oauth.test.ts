import { createHash, randomBytes } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agentAuthorization } from '../../functions/access/access.ts';
import { oauthImplementations } from '../../functions/access/oauth.ts';
import { agentAuthorizationRoutes, oauthRoutes } from '../../shared/contract/agent-authorization.ts';
import { isRedirectOf, registeredClient } from '../../shared/contract/oauth-clients.ts';
import { hashOf } from '../../shared/domain/workspaces/access/secret.ts';
import { revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { readHttpEvent } from '../../shared/runtime/api-gateway.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { type Json, jsonAnswer } from '../support/json-answer.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let workspace: string;
let admin: string;
let respond: ReturnType<typeof responder>;
let clock = () => new Date();

beforeAll(async () => {
  respond = responder(
    { ...agentAuthorizationRoutes, ...oauthRoutes },
    {
      ...agentAuthorization({ ...world.operator, membership: httpPorts().membership }),
      ...oauthImplementations({ ...world.operator, clock: { now: () => clock() } }),
    },
    { ...httpPorts(), clock: { now: () => clock() } },
  );
  workspace = (await world.workspace('oauth')).id;
  admin = await world.issuer.sign('oauth-admin');
});

const post = async (path: string, body: Json, token: string | null = null) =>
  jsonAnswer(await respond(request('POST', path, { token, body })));
const register = (redirect_uris: readonly string[], client_name = 'Studio') =>
  post('/oauth/register', { redirect_uris, client_name, grant_types: ['authorization_code', 'refresh_token'] });
const registered = async (...redirect_uris: string[]) => String((await register(redirect_uris)).json['client_id']);

const verifier = randomBytes(48).toString('base64url');
const redirect_uri = 'https://studio.test/callback';
const authorize = async (client_id: string, extra: Json = {}) => {
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const device = { device_id: 'browser:studio.test', device_name: 'studio.test' };
  const body = { workspace_id: workspace, client_id, code_challenge, redirect_uri, ...device, ...extra };
  return post('/v1/agent/authorize', body, admin);
};
const codeOf = async (client_id: string, extra: Json = {}) => String((await authorize(client_id, extra)).json['code']);
const exchange = async (fields: Record<string, string>) => {
  return send({ grant_type: 'authorization_code', code_verifier: verifier, redirect_uri, ...fields });
};
const send = async (fields: Record<string, string>) => {
  const body = new URLSearchParams(fields).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = { ...request('POST', '/oauth/token', { token: null, headers }), bytes: Buffer.from(body) };
  return jsonAnswer(await respond(sent));
};

describe('the sign-in of clients that find it by themselves', () => {
  it('describes itself by the address that it was reached at (C-AGENT-13)', async () => {
    const get = async (path: string) => jsonAnswer(await respond(request('GET', path, { token: null })));
    const resource = await get('/.well-known/oauth-protected-resource');
    expect(resource.json).toMatchObject({
      resource: 'https://service.test/mcp',
      authorization_servers: ['https://service.test'],
      scopes_supported: ['read'],
    });
    const { json } = await get('/.well-known/oauth-authorization-server');
    expect(json).toMatchObject({
      issuer: 'https://service.test',
      authorization_endpoint: 'https://service.test/authorize',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    const event = (path: string, protocol: string) =>
      ({
        httpMethod: 'GET',
        resource: '/mcp',
        path: '/mcp',
        headers: { 'X-Forwarded-Proto': protocol },
        requestContext: { path, domainName: 'api.test', requestId: 'r' },
      }) as unknown as APIGatewayProxyEvent;
    expect(readHttpEvent(event('/live/mcp', 'https')).base).toBe('https://api.test/live');
    expect(readHttpEvent(event('/mcp', 'http')).base).toBe('http://api.test');
  });

  it('gives a registered client a token for its code, once (C-AGENT-15)', async () => {
    const client_id = await registered(redirect_uri);
    const code = await codeOf(client_id, { resource: 'https://service.test/mcp', client_name: 'Studio' });
    const token = await exchange({ code, client_id, resource: 'https://service.test/mcp' });
    expect(token).toMatchObject({ status: 200, json: { token_type: 'Bearer', scope: 'read' } });
    expect(token.json['access_token']).toMatch(/^dpt_/);
    expect(Math.abs(Number(token.json['expires_in']) - 90 * 86_400)).toBeLessThan(10);
    expect(await exchange({ code, client_id })).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  it.each<[string, string, Record<string, string>]>([
    ['another client', 'invalid_grant', { client_id: 'client?name=Studio&redirect_uri=http%3A%2F%2Flocalhost%2F' }],
    ['another redirect address', 'invalid_grant', { redirect_uri: 'https://studio.test/other' }],
    ['another verifier', 'invalid_grant', { code_verifier: 'v'.repeat(64) }],
    ['another resource', 'invalid_grant', { resource: 'https://elsewhere.test/mcp' }],
    ['another grant', 'unsupported_grant_type', { grant_type: 'password' }],
    ['no refresh token', 'invalid_request', { grant_type: 'refresh_token' }],
    ['no verifier', 'invalid_request', { code_verifier: '' }],
  ])('refuses an exchange with %s as RFC 6749 says (C-AGENT-15)', async (_, error, wrong) => {
    const client_id = await registered(redirect_uri);
    const refused = await exchange({ code: await codeOf(client_id), client_id, ...wrong });
    expect(refused).toMatchObject({ status: 400, json: { error, error_description: expect.any(String) } });
  });

  it('ends what a code gave if the code is used again (C-AGENT-15)', async () => {
    const client_id = await registered(redirect_uri);
    const code = await codeOf(client_id);
    const token = String((await exchange({ code, client_id })).json['access_token']);
    const revokedAt = async () =>
      (await world.operator.registry.tokens.list(workspace as never)).find(({ hash }) => hash === hashOf(token))
        ?.revoked_at;
    expect(await revokedAt()).toBeNull();
    await exchange({ code: 'another', client_id });
    expect(await revokedAt()).toBeNull();
    expect(await exchange({ code, client_id, code_verifier: 'v'.repeat(64) })).toMatchObject({ status: 400 });
    expect(await revokedAt()).not.toBeNull();
  });

  describe('renews a token without a person (C-AGENT-17)', () => {
    const day = 86_400_000;
    const live = async () =>
      (await world.operator.registry.tokens.list(workspace as never)).filter(({ revoked_at }) => revoked_at === null);
    const isLive = async (token: unknown) => (await live()).some(({ hash }) => hash === hashOf(String(token)));
    const renew = (refresh_token: unknown, client_id: string, extra: Record<string, string> = {}) =>
      send({ grant_type: 'refresh_token', refresh_token: String(refresh_token), client_id, ...extra });
    const signedIn = async () => {
      const client_id = await registered(redirect_uri);
      const { json } = await exchange({ code: await codeOf(client_id), client_id });
      return { client_id, ...(json as { access_token: string; refresh_token: string }) };
    };
    const later = (days: number) => {
      const start = Date.now();
      clock = () => new Date(start + days * day);
    };
    afterEach(() => {
      clock = () => new Date();
    });

    it('before it ends, and after it has ended', async () => {
      const { client_id, ...first } = await signedIn();
      later(89);
      const second = await renew(first.refresh_token, client_id);
      expect(second).toMatchObject({ status: 200, json: { token_type: 'Bearer', scope: 'read' } });
      expect(Math.abs(Number(second.json['expires_in']) - 90 * 86_400)).toBeLessThan(10);
      expect([await isLive(first.access_token), await isLive(second.json['access_token'])]).toEqual([false, true]);
      later(89 + 100);
      expect((await renew(second.json['refresh_token'], client_id)).status).toBe(200);
    });

    it('lasts a year from the sign-in, and half a year without use', async () => {
      const [used, unused] = [await signedIn(), await signedIn()];
      let refresh: unknown = used.refresh_token;
      for (const at of [150, 300]) {
        later(at);
        refresh = (await renew(refresh, used.client_id)).json['refresh_token'];
      }
      expect(await renew(unused.refresh_token, unused.client_id)).toMatchObject({ json: { error: 'invalid_grant' } });
      later(366);
      expect(await renew(refresh, used.client_id)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    });

    it('once: a second use ends all tokens of the sign-in', async () => {
      const { client_id, refresh_token } = await signedIn();
      const second = (await renew(refresh_token, client_id)).json;
      const third = (await renew(second['refresh_token'], client_id)).json;
      expect(await isLive(third['access_token'])).toBe(true);
      expect(await renew(refresh_token, client_id)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
      expect(await isLive(third['access_token'])).toBe(false);
      expect((await renew(third['refresh_token'], client_id)).status).toBe(400);
    });

    it('refuses another client, another server and a token that was revoked', async () => {
      const other = await registered('https://other.test/');
      for (const wrong of [{ client_id: other }, { resource: 'https://elsewhere.test/mcp' }]) {
        const { client_id, refresh_token } = await signedIn();
        expect((await renew(refresh_token, client_id, wrong)).json['error']).toBe('invalid_grant');
      }
      const { client_id, access_token, refresh_token } = await signedIn();
      const token = (await live()).find(({ hash }) => hash === hashOf(access_token));
      await revokeToken(world.operator, workspace as never, token?.id as never);
      expect((await renew(refresh_token, client_id)).json['error']).toBe('invalid_grant');
    });

    it('refuses a code as a refresh token, and a refresh token as a code', async () => {
      const client_id = await registered(redirect_uri);
      expect((await renew(await codeOf(client_id), client_id)).json['error']).toBe('invalid_grant');
      const { refresh_token } = await signedIn();
      expect((await exchange({ code: refresh_token, client_id })).json['error']).toBe('invalid_grant');
    });
  });

  it('gives a client at most the scopes that it registered: to read, unless it says more (C-AGENT-14)', async () => {
    const reading = await registered(redirect_uri);
    for (const scope of ['admin', 'read write']) {
      const refused = await authorize(reading, { scope });
      expect([refused.status, JSON.stringify(refused.json)]).toEqual([422, expect.stringContaining('"/scope"')]);
    }
    const { json } = await post('/oauth/register', { redirect_uris: [redirect_uri], scope: 'read write' });
    expect(json['scope']).toBe('read write');
    expect((await authorize(String(json['client_id']), { scope: 'read write' })).status).toBe(200);
    expect((await authorize(String(json['client_id']), { scope: 'admin' })).status).toBe(422);
    const unknown = await post('/oauth/register', { redirect_uris: [redirect_uri], scope: 'openid' });
    expect(unknown).toMatchObject({ status: 400, json: { error: 'invalid_client_metadata' } });
  });

  it('refuses a repeated parameter of the token request (C-AGENT-15)', async () => {
    const client_id = await registered(redirect_uri);
    const fields = new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'a',
      code_verifier: verifier,
      client_id,
      redirect_uri,
    });
    fields.append('code', 'b');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { ...request('POST', '/oauth/token', { token: null, headers }), bytes: Buffer.from(String(fields)) };
    expect(await jsonAnswer(await respond(sent))).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  it('gives no token for another server that sends people here (C-AGENT-15)', async () => {
    const refused = await authorize(await registered(redirect_uri), { resource: 'https://evil.test/mcp' });
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([422, expect.stringContaining('/resource')]);
  });

  it('is for workspaces that have tokens', async () => {
    const client_id = await registered(redirect_uri);
    const code = await codeOf(client_id);
    await setPatsEnabled(world.operator, workspace as never, false);
    expect(await exchange({ code, client_id })).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    await setPatsEnabled(world.operator, workspace as never, true);
  });

  it('registers a client without storing anything, so equal registrations have equal ids (C-AGENT-14)', async () => {
    const first = await register([redirect_uri, 'http://127.0.0.1/']);
    expect(first).toMatchObject({
      status: 201,
      json: {
        client_name: 'Studio',
        redirect_uris: [redirect_uri, 'http://127.0.0.1/'],
        token_endpoint_auth_method: 'none',
      },
    });
    expect((await register([redirect_uri, 'http://127.0.0.1/'])).json['client_id']).toBe(first.json['client_id']);
    const hidden = await register([redirect_uri], `\u202eS\u200btudio${'x'.repeat(100)}`);
    expect(hidden.json['client_name']).toBe(`Studio${'x'.repeat(74)}`);
    expect((await register([redirect_uri], '')).json['client_name']).toBe('MCP client');
  });

  it.each([
    ['http://studio.test/callback'],
    ['javascript:alert(1)//'],
    ['cursor://callback'],
    ['https://studio.test/#a'],
    ['https://studio.test/#'],
    ['https://user@studio.test/'],
    ['https:\\\\studio.test/'],
    ['https://STUDIO.test/'],
    [`https://studio.test/${'x'.repeat(600)}`],
    [''],
  ])('registers no client of the address %s (C-AGENT-14)', async (uri) => {
    expect(await register([redirect_uri, uri])).toMatchObject({ status: 400, json: { error: 'invalid_redirect_uri' } });
  });

  it('bounds a registration (C-AGENT-14)', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `https://studio.test/${index}`);
    expect([(await register([])).status, (await register(many)).status]).toEqual([400, 400]);
    const long = Array.from({ length: 10 }, (_, index) => `https://studio.test/${index}${'x'.repeat(400)}`);
    expect((await register(long)).status).toBe(400);
    expect((await register([redirect_uri], 'x'.repeat(20_000))).status).toBe(413);
  });

  it('sends a code to exactly a registered address, on loopback at any port (C-AGENT-14)', async () => {
    const client = await registered(redirect_uri, 'http://127.0.0.1:7777/callback', 'http://[::1]/a');
    const allowed = ['http://127.0.0.1:1/callback', 'http://127.0.0.1/callback', 'http://[::1]:8080/a', redirect_uri];
    for (const uri of allowed) expect([uri, isRedirectOf(client, uri)]).toEqual([uri, true]);
    const refused = [
      `${redirect_uri}/`,
      `${redirect_uri}?a`,
      'https://studio.test:8443/callback',
      'http://studio.test/callback',
      'http://localhost:7777/callback',
      'http://127.0.0.1:7777/callback/x',
      'http://127.0.0.1:7777@evil.test/callback',
      'https://evil.test/callback',
    ];
    for (const uri of refused) {
      expect([uri, isRedirectOf(client, uri)]).toEqual([uri, false]);
      expect((await authorize(client, { redirect_uri: uri })).status).toBe(422);
    }
  });

  it('takes no client id for a registration that it would not have registered (C-AGENT-14)', () => {
    const uri = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.constantFrom('javascript:alert(1)', 'http://evil.test/', redirect_uri),
    );
    fc.assert(
      fc.property(fc.string(), fc.array(uri, { maxLength: 3 }), (name, uris) => {
        const fields = new URLSearchParams({ name });
        for (const one of uris) fields.append('redirect_uri', one);
        for (const one of registeredClient(`client?${fields}`)?.redirect_uris ?? []) {
          const { protocol, hostname } = new URL(one);
          expect(protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)).toBe(true);
        }
      }),
    );
    expect(registeredClient('client?name=a&redirect_uri=https://studio.test/')).toBeNull();
  });
});
